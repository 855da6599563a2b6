"""What to do when a cell runs before the one that makes its names, as after a kernel's restart."""

import sys


def install() -> None:
    """Let a notebook's NameError say which menu item runs the cells above; elsewhere do nothing.

    If other code already handles exceptions, they stay as they are.
    """
    session = shell()
    if hasattr(session, "kernel") and not session.custom_exceptions:
        session.set_custom_exc((NameError,), _explain)


def shell():
    """Return IPython's session, or None outside of one."""
    return sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None


def _explain(shell, kind, error, trace, tb_offset=None):
    """Show the error, with a note where the cell itself asked for a name that is not there."""
    while trace.tb_next is not None:
        trace = trace.tb_next
    if error.name and trace.tb_frame.f_globals is shell.user_ns:
        error.add_note(
            f"If a cell above makes `{error.name}`, run that first: in the menu choose "
            "Run > Run All Above Selected Cell."
        )
    shell.showtraceback((kind, error, error.__traceback__), tb_offset=tb_offset)
