// A program that asks a model once, for something that nobody recorded.
const body = JSON.stringify({ model: "m", messages: [{ role: "user", content: "Hi" }] });
await fetch(`${process.env.OPENAI_BASE_URL}/chat/completions`, { method: "POST", body });
