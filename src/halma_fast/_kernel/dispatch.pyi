from typing import TypedDict

class KernelInfo(TypedDict):
    level: str
    available: list[str]
    forced: bool
    reason: str

def kernel_info() -> KernelInfo: ...
