"""What is behind the bridge: vLLM with the recorder, plain vLLM, or any OpenAI-compatible server."""
