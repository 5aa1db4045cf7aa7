"""A client of `circ lsp`, over its standard input and output."""
import json
import os
import select
import subprocess
import time


class Client:
    """encoding: "utf-8" or "utf-16"."""

    def __init__(self, circ, *options, encoding="utf-8", seconds=60):
        self.process = subprocess.Popen([circ, "lsp", *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.seconds, self.number, self.buffer, self.published, self.versions = seconds, 0, b"", {}, {}
        self.server = self.request("initialize", processId=os.getpid(), capabilities={"general": {"positionEncodings": [encoding]}})
        self.notify("initialized")

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        if kind is None and self.process.poll() is None:
            ended = self.leave()
            if ended != (0, ""):
                raise RuntimeError(f"circ lsp ended with {ended}")
        self.process.kill()
        self.process.wait()

    def leave(self):
        """The exit status, and what was said on standard error."""
        self.request("shutdown")
        self.notify("exit")
        self.process.stdin.close()
        return self.process.wait(self.seconds), self.process.stderr.read().decode()

    def send(self, message):
        text = message if isinstance(message, bytes) else json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(text) + text)
        self.process.stdin.flush()

    def receive(self):
        deadline = time.monotonic() + self.seconds
        while True:
            header, found, rest = self.buffer.partition(b"\r\n\r\n")
            size = int(header.split(b":")[1]) if found else 0
            if found and len(rest) >= size:
                self.buffer = rest[size:]
                return json.loads(rest[:size])
            if not select.select([self.process.stdout], [], [], max(0, deadline - time.monotonic()))[0]:
                raise TimeoutError("circ lsp does not answer")
            part = os.read(self.process.stdout.fileno(), 1 << 20)
            if not part:
                raise RuntimeError(f"circ lsp has ended: {self.process.wait()}\n{self.process.stderr.read().decode()}")
            self.buffer += part

    def notify(self, method, **params):
        self.send({"method": method, "params": params})

    def take(self, message):
        if message.get("method") == "textDocument/publishDiagnostics":
            params = message["params"]
            self.published[params["uri"]] = (params.get("version"), params["diagnostics"])

    def answer(self, method, **params):
        """The whole answer, an error included."""
        self.number += 1
        self.send({"id": self.number, "method": method, "params": params})
        while True:
            message = self.receive()
            if message.get("id") == self.number and "method" not in message:
                return message
            self.take(message)

    def receive_error(self):
        """The code of the next answer to nothing."""
        while True:
            message = self.receive()
            if "id" in message and message["id"] is None:
                return message["error"]["code"]
            self.take(message)

    def request(self, method, **params):
        message = self.answer(method, **params)
        if "error" in message:
            raise RuntimeError(f"{method}: {message['error']}")
        return message["result"]

    # --- documents ---

    def open(self, uri, text):
        self.versions[uri] = 1
        self.notify("textDocument/didOpen", textDocument={"uri": uri, "languageId": "cir", "version": 1, "text": text})

    def change(self, uri, *changes):
        """Each: (begin, end, text), of (line, character); or a whole text."""
        self.versions[uri] += 1
        edits = [{"text": c} if isinstance(c, str) else {"range": {"start": place(c[0]), "end": place(c[1])}, "text": c[2]} for c in changes]
        self.notify("textDocument/didChange", textDocument={"uri": uri, "version": self.versions[uri]}, contentChanges=edits)

    def diagnostics(self, uri):
        """Of the last version that was sent."""
        while self.published.get(uri, (0,))[0] != self.versions[uri]:
            self.take(self.receive())
        return self.published[uri][1]

    def at(self, what, uri, line, character, **more):
        return self.request(f"textDocument/{what}", textDocument={"uri": uri}, position=place((line, character)), **more)


def place(at):
    return {"line": at[0], "character": at[1]}


def span(one):
    """A range as (line, character, line, character)."""
    return one["start"]["line"], one["start"]["character"], one["end"]["line"], one["end"]["character"]
