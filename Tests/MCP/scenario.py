"""What a scenario expects, for every client of the Model Context Protocol."""


def text(result):
    return "\n".join(block.text for block in result.content if block.type == "text")


def structured(result):
    return getattr(result, "structured_content", None) or getattr(result, "structuredContent", None)


def is_error(result):
    return bool(getattr(result, "is_error", None) or getattr(result, "isError", None))


def check_tools(tools):
    names = [tool.name for tool in tools]
    assert "Probe_Echo" in names and "intent_undo" in names, names
    assert "Probe_Unlisted" not in names, names
    assert len(set(names)) == len(names)


def value(result, expected):
    assert not is_error(result), text(result)
    assert structured(result)["value"] == expected, structured(result)


def form_answer(schema):
    """The content for a form with one field."""
    [(name, field)] = schema["properties"].items()
    if field["type"] == "boolean":
        return {name: True}
    return {name: 4 if field["type"] in ("integer", "number") else field["oneOf"][0]["const"]}


async def perform(call, progress):
    """The calls that every client can make. `call(tool, arguments)` answers forms with `form_answer`."""
    value(await call("Probe_Echo", {"text": "héllo\n\"world\""}), "héllo\n\"world\"")
    value(await call("Probe_Add", {"first": 40, "second": 2}), 42)
    wrong = await call("Probe_Echo", {})
    assert is_error(wrong) and "text" in text(wrong), wrong
    assert is_error(await call("Probe_Throws", {}))
    value(await call("Probe_AskSomething", {"way": "value"}), "4")
    value(await call("Probe_AskSomething", {"way": "confirm"}), "ordered")
    value(await call("Probe_AskSomething", {"way": "choice"}), "green")
    made = await call("Probe_MakeFile", {"place": "memory", "text": "a small file"})
    assert "a small file" in text(made) and structured(made)["files"][0]["text"] == "a small file", made
    steps = await progress("Probe_Ticking", {"seconds": 0.5})
    assert steps and steps == sorted(set(steps)), steps
