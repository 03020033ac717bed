# The same agent in Python, without any package.
import json, os, sys, urllib.request

base = os.environ.get("OPENAI_BASE_URL", "https://api.openai.com/v1")
orders = {"A-7702": {"item": "lamp", "paid": 40, "state": "delivered"}}


def look_up_order(order_id, **_):
    return orders.get(order_id, {"error": "no such order"})


def issue_refund(order_id, amount, **_):
    return {"order_id": order_id, "amount": amount, "state": "refunded"}


tools = {"look_up_order": look_up_order, "issue_refund": issue_refund}
parameters = {"type": "object", "properties": {"order_id": {"type": "string"}}}
definitions = [{"type": "function", "function": {"name": name, "parameters": parameters}} for name in tools]
asked = sys.argv[1] if len(sys.argv) > 1 else "The lamp of order A-7702 arrived broken. I want my money back."
messages = [
    {"role": "system", "content": "You are a support agent. Look up the order before you refund it."},
    {"role": "user", "content": asked},
]
while True:
    request = urllib.request.Request(
        base + "/chat/completions",
        data=json.dumps({"model": "gpt-4.1", "messages": messages, "tools": definitions}).encode(),
        headers={"content-type": "application/json", "authorization": "Bearer " + os.environ.get("OPENAI_API_KEY", "none")},
    )
    with urllib.request.urlopen(request) as response:
        message = json.load(response)["choices"][0]["message"]
    messages.append(message)
    if not message.get("tool_calls"):
        print(message["content"])
        break
    for call in message["tool_calls"]:
        result = tools[call["function"]["name"]](**json.loads(call["function"]["arguments"]))
        messages.append({"role": "tool", "tool_call_id": call["id"], "content": json.dumps(result)})
