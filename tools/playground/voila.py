"""What of the settings of `make playground` is code: voila reads files of this name.

A kernel takes 200 MB and more, so it ends with its page. A page that is left says so, with the
token of a cookie that voila itself does not set. Where no page could say so, as when the browser is
killed, a kernel that is idle and has been without a page for 50 seconds ends (voila.json).

The page has a template of its own, beside this file, which asks no other host for anything.
"""

import os
from datetime import UTC, datetime
from pathlib import Path

from jupyter_server.services.kernels.kernelmanager import AsyncMappingKernelManager


class Kernels(AsyncMappingKernelManager):
    """Kernel manager in which a kernel's time without a page begins when the page goes.

    A page whose connection breaks, as when a laptop sleeps, has so the time to come back.
    """

    def notify_disconnect(self, kernel_id):
        """Count one page less."""
        super().notify_disconnect(kernel_id)
        if kernel_id in self:
            self.get_kernel(kernel_id).last_activity = datetime.now(UTC)


def set_cookie(handler, notebook, cwd):
    """Let the answer to a page set the cookie that shows its requests to be its own."""
    handler.xsrf_token  # noqa: B018 (to read it sets the cookie)


c = get_config()  # noqa: F821 (it is there when voila reads this)
c.VoilaConfiguration.multi_kernel_manager_class = Kernels
c.VoilaConfiguration.prelaunch_hook = set_cookie
HERE, KNOWN = Path(__file__).parent.resolve(), os.environ.get("JUPYTER_PATH")
os.environ["JUPYTER_PATH"] = os.pathsep.join([str(HERE), *([KNOWN] if KNOWN else [])])
