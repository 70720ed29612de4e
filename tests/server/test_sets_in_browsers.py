"""Choosing a set of Robin by touch and by keyboard, in Chromium."""

import pytest

from server.browsing import needs_chromium, opened
from server.samples import is_asked, played, table_page
