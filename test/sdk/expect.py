"""What the walks expect of answers."""

import time

PATIENCE_S = 60


def equal(seen, wanted, what=""):
    if seen != wanted:
        raise AssertionError("%s: wanted %r, got %r" % (what or "a value", wanted, seen))


def true(seen, what):
    if not seen:
        raise AssertionError("not so: %s" % what)


def eventually(look, wanted):
    """What is looked at becomes this; a request that was accepted is carried out later."""
    last = time.monotonic() + PATIENCE_S
    while (seen := look()) != wanted:
        if time.monotonic() > last:
            raise AssertionError("wanted %r in the end, got %r" % (wanted, seen))
        time.sleep(0.1)


def refused(kind, call, *args, **kwargs):
    """The call fails with this exception, which is returned."""
    try:
        call(*args, **kwargs)
    except kind as error:
        return error
    raise AssertionError("%s was not refused" % getattr(call, "__name__", call))
