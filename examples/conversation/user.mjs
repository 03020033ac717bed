// A user that a script plays: tells what is asked, and stops when the amount is known.
import { text } from "node:stream/consumers";

const { conversation } = JSON.parse(await text(process.stdin));
const heard = conversation.at(-1)?.content ?? "";
if (/1,?050/.test(heard)) console.log(JSON.stringify({ stop: true }));
else if (heard.includes("name")) console.log("Mei Kovacs, 28236.");
else console.log("I want to return the lamp of order #W6390527.");
