"""The board in the browser: what `halma-fast serve` runs. Needs the extra `web`; nothing else imports it."""
