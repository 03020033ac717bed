# Four Python clients, each with a whole call, a stream, two tool calls at once, and a call that fails; base URLs come from the environment
# alone. Prints one line of JSON: what each client made of it.
import json
import os

os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"

PARAMETERS = {"type": "object", "properties": {"city": {"type": "string"}}}
seen = {}


def note(client, case, value):
    seen.setdefault(client, {})[case] = value


def chat_like(client, create, with_tools=True):
    tools = [{"type": "function", "function": {"name": "get_weather", "parameters": PARAMETERS}}]
    ask = lambda words: [{"role": "user", "content": client + " " + words}]
    note(client, "whole", create(messages=ask("TEXT whole")).choices[0].message.content)
    parts = create(messages=ask("TEXT stream"), stream=True)
    note(client, "stream", "".join((part.choices[0].delta.content or "") for part in parts if part.choices))
    if with_tools:
        messages = ask("PARALLEL tools")
        first = create(messages=messages, tools=tools).choices[0].message
        messages.append({"role": "assistant", "content": None, "tool_calls": [c.model_dump() for c in first.tool_calls]})
        for call in first.tool_calls:
            city = json.loads(call.function.arguments)["city"]
            messages.append({"role": "tool", "tool_call_id": call.id, "content": "sunny in " + city})
        note(client, "tools", create(messages=messages, tools=tools).choices[0].message.content)
    try:
        create(messages=ask("FAIL400 fails"))
    except Exception as error:
        note(client, "fails", type(error).__name__)


def openai_client():
    import openai

    client = openai.OpenAI(max_retries=0)
    chat_like("openai", lambda **given: client.chat.completions.create(model="gpt-x", **given))


def litellm_client():
    import litellm

    litellm.suppress_debug_info = True
    # Its way to tools needs a package that it does not bring along.
    chat_like("litellm", lambda **given: litellm.completion(model="openai/gpt-x", num_retries=0, **given), with_tools=False)
    for model in ["anthropic/claude-x", "gemini/gemini-x"]:
        asked = [{"role": "user", "content": "litellm " + model.split("/")[0] + " TEXT whole"}]
        answer = litellm.completion(model=model, num_retries=0, messages=asked)
        note("litellm", model.split("/")[0], answer.choices[0].message.content)


def anthropic_client():
    import anthropic

    client = anthropic.Anthropic(max_retries=0)
    tools = [{"name": "get_weather", "input_schema": PARAMETERS}]
    ask = lambda words: [{"role": "user", "content": "anthropic " + words}]
    create = lambda **given: client.messages.create(model="claude-x", max_tokens=100, **given)
    note("anthropic", "whole", create(messages=ask("TEXT whole")).content[0].text)
    with client.messages.stream(model="claude-x", max_tokens=100, messages=ask("TEXT stream")) as parts:
        note("anthropic", "stream", "".join(parts.text_stream))
    messages = ask("PARALLEL tools")
    first = create(messages=messages, tools=tools).content
    messages.append({"role": "assistant", "content": [part.model_dump(exclude_none=True) for part in first]})
    results = [{"type": "tool_result", "tool_use_id": c.id, "content": "sunny in " + c.input["city"]} for c in first if c.type == "tool_use"]
    messages.append({"role": "user", "content": results})
    note("anthropic", "tools", create(messages=messages, tools=tools).content[0].text)
    try:
        create(messages=ask("FAIL400 fails"))
    except Exception as error:
        note("anthropic", "fails", type(error).__name__)


def genai_client():
    from google import genai
    from google.genai import types

    client = genai.Client()
    declared = types.FunctionDeclaration(name="get_weather", parameters_json_schema=PARAMETERS)
    config = types.GenerateContentConfig(
        tools=[types.Tool(function_declarations=[declared])],
        automatic_function_calling=types.AutomaticFunctionCallingConfig(disable=True),
    )
    models = client.models
    note("genai", "whole", models.generate_content(model="gemini-x", contents="genai TEXT whole").text)
    parts = models.generate_content_stream(model="gemini-x", contents="genai TEXT stream")
    note("genai", "stream", "".join(part.text or "" for part in parts))
    contents = [types.Content(role="user", parts=[types.Part.from_text(text="genai PARALLEL tools")])]
    first = models.generate_content(model="gemini-x", contents=contents, config=config).candidates[0].content
    contents.append(first)
    answers = [types.Part.from_function_response(name=p.function_call.name, response={"result": "sunny in " + p.function_call.args["city"]}) for p in first.parts if p.function_call]
    contents.append(types.Content(role="user", parts=answers))
    note("genai", "tools", models.generate_content(model="gemini-x", contents=contents, config=config).text)
    try:
        models.generate_content(model="gemini-x", contents="genai FAIL400 fails")
    except Exception as error:
        note("genai", "fails", type(error).__name__)


for run in [openai_client, litellm_client, anthropic_client, genai_client]:
    try:
        run()
    except Exception as error:
        note(run.__name__, "broke", repr(error))
print(json.dumps(seen))
