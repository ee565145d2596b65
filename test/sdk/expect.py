"""What the walks expect of answers."""


def equal(seen, wanted, what=""):
    if seen != wanted:
        raise AssertionError("%s: wanted %r, got %r" % (what or "a value", wanted, seen))


def true(seen, what):
    if not seen:
        raise AssertionError("not so: %s" % what)


def refused(kind, call, *args, **kwargs):
    """The call fails with this exception, which is returned."""
    try:
        call(*args, **kwargs)
    except kind as error:
        return error
    raise AssertionError("%s was not refused" % getattr(call, "__name__", call))
