"""MongoDB's update operators in plain Python, and how a change stream describes an update.

A document is a dict. update() applies a random operator to one of its fields, and describe() returns the updateDescription.
The operators and the description follow MongoDB's manual: "Update Operators" and "Change Events", page update.
"""

import copy

# Names of fields: a digit is a field of an object, and one name contains a dot.
NAMES = ["x", "y", "0", "1", "p.q"]
SCALARS = [None, True, 0, -7, 12345678901234567890, "", "1.50", 'q"\\', "库", "{", "[1]", 0.5]


def new_value(chance, depth=3):
    """Return a random value: a scalar, an object or an array."""
    kind = chance.random()
    if depth == 0 or kind < 0.4:
        return chance.choice(SCALARS)
    if kind < 0.7:
        names = chance.sample(NAMES, chance.randrange(4))
        return {name: new_value(chance, depth - 1) for name in names}
    return [new_value(chance, depth - 1) for _ in range(chance.randrange(6))]


def new_document(chance):
    """Return a random object with an object and an array, and more."""
    members = lambda: {name: new_value(chance) for name in chance.sample(NAMES, 2)}
    return {"object": members(), "array": [new_value(chance) for _ in range(3)], **members()}


def get(value, steps):
    for step in steps:
        value = value[step]
    return value


def random_steps(chance, document, field):
    """Return the steps to a container below a field, down to a random depth. Without a container: the field's own steps."""
    steps = [field]
    while chance.random() < 0.7:
        value = get(document, steps)
        inner = value.items() if isinstance(value, dict) else enumerate(value)
        inner = [step for step, each in inner if isinstance(each, (dict, list))]
        if not inner:
            break
        steps.append(chance.choice(inner))
    return steps


def put(container, step, value):
    """Set a value in a container. An array that is too short is filled with nulls."""
    if isinstance(container, list):
        container.extend([None] * (step + 1 - len(container)))
    container[step] = value


def update(chance, document, field):
    """Apply a random operator to a field; return the new document and the update's description."""
    new = copy.deepcopy(document)
    operator = chance.choice(["field", "set", "set", "create", "unset", "inc", "push", "push"])
    if not isinstance(new.get(field), (dict, list)):
        operator = "create" if field not in new and chance.random() < 0.7 else "field"

    if operator == "field":  # $set of the whole field
        new[field] = new_document(chance) if chance.random() < 0.7 else new_value(chance)
        return new, assigned([field], new[field])
    if operator == "create" and field not in new:  # $set of a path into a missing field
        steps, value = [field, chance.choice(NAMES), chance.choice(NAMES)], new_value(chance, 1)
        new[field] = {steps[1]: {steps[2]: value}}
        return new, chance.choice([describe(document, new), assigned(steps, value)])

    for _ in range(8):
        steps = random_steps(chance, new, field)
        container = get(new, steps)
        if operator != "push" or isinstance(container, list):
            break
    if isinstance(container, list):
        if (
            operator == "push" or operator == "unset" and not container
        ):  # $push with $each and $slice
            added, size = (
                [new_value(chance, 1) for _ in range(chance.randrange(3))],
                chance.randrange(-3, 4),
            )
            pushed = container + added
            container[:] = pushed[size:] if size < 0 else pushed[:size]
            whole = assigned(steps, container)
            return new, chance.choice([describe(document, new), whole])
        step = chance.randrange(len(container) + (0 if operator == "unset" else 3))
        value = None if operator == "unset" else new_value(chance, 1)  # $unset leaves a null
    elif operator == "unset" and container:
        step = chance.choice(list(container))
        del container[step]
        return new, {"updated": {}, "removed": [[*steps, step]], "shortened": []}
    else:
        step = chance.choice(NAMES)
        value = new_value(chance, 1)
    if operator == "inc":  # $inc creates a missing field
        present = container.get(step) if isinstance(container, dict) else None
        value = (present if type(present) is int else 0) + chance.randint(-5, 5)
    elif operator == "create" and isinstance(container, dict) and step not in container:
        name = chance.choice(NAMES)
        put(container, step, {name: value})
        return new, chance.choice([describe(document, new), assigned([*steps, step, name], value)])
    put(container, step, value)
    return new, chance.choice([describe(document, new), assigned([*steps, step], value)])


def assigned(steps, value):
    """Describe an update that sets one path, as servers before 5.0 do."""
    return {"updated": {tuple(steps): value}, "removed": [], "shortened": []}


def describe(old, new):
    """Describe an update by the difference of two documents, as servers since 5.0 do."""
    description = {"updated": {}, "removed": [], "shortened": []}
    _compare(old, new, [], description)
    return description


def _compare(old, new, steps, description):
    if isinstance(old, dict):
        description["removed"] += [[*steps, name] for name in old if name not in new]
        members = new.items()
    else:
        if len(new) < len(old):
            description["shortened"].append((steps, len(new)))
        members = enumerate(new)
    for step, value in members:
        path = [*steps, step]
        if step not in old if isinstance(old, dict) else step >= len(old):
            description["updated"][tuple(path)] = value
        elif _is_comparable(old[step], value):
            _compare(old[step], value, path, description)
        elif type(old[step]) is not type(value) or old[step] != value:
            description["updated"][tuple(path)] = value


def _is_comparable(old, new):
    """Return whether a difference can describe the new value: both are arrays, or objects whose order of fields stays."""
    if isinstance(old, dict) and isinstance(new, dict):
        return [*new] == [name for name in old if name in new] + [
            name for name in new if name not in old
        ]
    return isinstance(old, list) and isinstance(new, list)


def message_of(descriptions):
    """Return updateDescription of an update with several operators, as a change stream writes it."""
    updated, removed, shortened = {}, [], []
    for description in descriptions:
        updated |= description["updated"]
        removed += description["removed"]
        shortened += description["shortened"]
    name = lambda steps: ".".join(map(str, steps))
    dotted = {
        name(steps): list(steps)
        for steps in [*updated, *removed, *(steps for steps, _ in shortened)]
        if any("." in str(step) for step in steps)
    }
    return {
        "updatedFields": {name(steps): value for steps, value in updated.items()},
        "removedFields": [name(steps) for steps in removed],
        "truncatedArrays": [{"field": name(steps), "newSize": size} for steps, size in shortened],
        **({"disambiguatedPaths": dotted} if dotted else {}),
    }
