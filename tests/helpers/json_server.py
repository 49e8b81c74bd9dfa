"""An HTTP server for tests that answers in JSON."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class JsonServer:
    """A running server on `url`.

    Arguments:
        answer: returns a status code and a JSON value for a path and an Authorization header.
        with_body: `answer` also takes the body of the request.
    """

    def __init__(self, answer, *, with_body=False):
        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                received = self.rfile.read(int(self.headers["Content-Length"] or 0))
                request = (self.path, self.headers["Authorization"])
                code, value = answer(*request, received) if with_body else answer(*request)
                body = json.dumps(value).encode()
                self.send_response(code)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            do_POST = do_GET

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def stop(self):
        """Stop the server."""
        self.server.shutdown()
        self.server.server_close()
