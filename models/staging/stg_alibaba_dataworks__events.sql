-- One row per thing that a message of the format alibaba_dataworks says.
{{ flatten_messages(['alibaba_dataworks']) }}
