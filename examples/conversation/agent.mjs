// A shop's agent that a script plays: asks who is there before it does anything.
export default function ({ messages }) {
  const said = messages.at(-1).content;
  const call = (tool, input, output) => ({ role: "assistant", tool_calls: [{ tool, input, output }] });
  const say = (content) => ({ role: "assistant", content });
  if (!said.includes("28236")) return { output_messages: [say("Gladly. What is your name, and your zip code?")] };
  return {
    output_messages: [
      call("find_user", { name: "Mei Kovacs", zip: "28236" }, "mei_kovacs_8020"),
      call("return_items", { order_id: "#W6390527", item_ids: ["lamp"] }, "done"),
      say("It is returned. You get $1,050 back."),
    ],
  };
}
