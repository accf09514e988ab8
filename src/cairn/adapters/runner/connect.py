"""How a prompt travels: as JSON to the one address that a provider has."""

from collections.abc import Mapping
from typing import Any

from cairn.adapters.runner.chat import Send
from cairn.adapters.runner.resolve import Connect
from cairn.core.model_budget import RunnerFailed

PATH = "/chat/completions"
ATTEMPTS = 3


def connector(env: Mapping[str, str]) -> Connect:
    """Through the proxies of an environment. What is known to have arrived is not sent again: it was paid for."""

    def connect(base_url: str, key: str | None, provider: str) -> Send:
        headers = {"Authorization": f"Bearer {key}"} if key else {}

        def send(body: Mapping[str, Any], seconds: float) -> tuple[int, Any]:
            from cairn.adapters.http.json_client import JsonClient, NoAnswer, Patience, Sizes

            sizes = Sizes(read_seconds=seconds, total_seconds=seconds)
            client = JsonClient(base_url, headers, env=env, patience=Patience(attempts=ATTEMPTS), sizes=sizes)
            try:
                answer = client.send("POST", PATH, body, repeatable=False)
            except NoAnswer as problem:
                raise RunnerFailed(f"{provider} gave no answer: {problem}", retryable=True) from None
            finally:
                client.close()
            return answer.status, answer.value

        return send

    return connect
