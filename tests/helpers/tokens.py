"""An OAuth server for tests.

A client that sends the password gets a signed token. A broker verifies it by the key that the server publishes.
"""

import base64
import hashlib
import json
import secrets
import time

from json_server import JsonServer

E = 65537
SHA256 = bytes.fromhex(
    "3031300d060960864801650304020105000420"
)  # the prefix of a SHA-256 in an RSA signature


def is_prime(number, rounds=8):
    """Return whether an odd number is most likely a prime (Miller and Rabin)."""
    if any(number % small == 0 for small in range(3, 2000, 2)):
        return False
    odd, twos = number - 1, 0
    while odd % 2 == 0:
        odd, twos = odd // 2, twos + 1
    for _ in range(rounds):
        power = pow(secrets.randbelow(number - 3) + 2, odd, number)
        if power not in (1, number - 1) and not any(
            (power := power * power % number) == number - 1 for _ in range(twos - 1)
        ):
            return False
    return True


def prime(bits):
    """Return a random prime without 1 or E as a divisor of what is below it."""
    while True:
        number = secrets.randbits(bits) | 3 << bits - 2 | 1
        if number % E != 1 and is_prime(number):
            return number


def encode(content):
    """Return bytes, or a mapping as JSON, in base64 as tokens have it."""
    return base64.urlsafe_b64encode(
        content if isinstance(content, bytes) else json.dumps(content).encode()
    ).rstrip(b"=")


class TokenServer:
    """A running server; `url` gives tokens to `user`, `keys` is the set of keys that checks them."""

    def __init__(self, user, password):
        one, other = prime(1024), prime(1024)
        self.modulus, self.secret, self.given = one * other, pow(E, -1, (one - 1) * (other - 1)), 0
        self.keys = {
            "keys": [
                {
                    "kty": "RSA",
                    "kid": "test",
                    "alg": "RS256",
                    "use": "sig",
                    "n": encode(self.modulus.to_bytes(256, "big")).decode(),
                    "e": "AQAB",
                }
            ]
        }
        wanted = "Basic " + base64.b64encode(f"{user}:{password}".encode()).decode()

        def answer(_, authorization):
            if authorization != wanted:
                return 401, {"error": "invalid_client"}
            self.given += 1
            return 200, {
                "access_token": self.token(user),
                "token_type": "Bearer",
                "expires_in": 3600,
            }

        self.server = JsonServer(answer)
        self.url = f"{self.server.url}/token"

    def token(self, user):
        """Return a token of a user that is good for an hour."""
        now = int(time.time())
        text = (
            encode({"alg": "RS256", "kid": "test"})
            + b"."
            + encode({"sub": user, "iat": now, "exp": now + 3600, "scope": "kafka"})
        )
        digest = SHA256 + hashlib.sha256(text).digest()
        padded = int.from_bytes(
            b"\x00\x01" + b"\xff" * (253 - len(digest)) + b"\x00" + digest, "big"
        )
        return (
            text + b"." + encode(pow(padded, self.secret, self.modulus).to_bytes(256, "big"))
        ).decode()
