"""The fair queue: clients take turns, however much each of them asks for."""

from random import Random

from halma_fast.web.fair_queue import FairQueue


def drained(queue):
    items = []
    while (item := queue.take()) is not None:
        items.append(item)
    return items


def test_a_flood_of_one_client_does_not_hold_up_the_others():
    queue = FairQueue()
    for number in range(100):
        queue.put("flood", ("flood", number))
    for client in "abc":
        queue.put(client, (client, 0))
    order = queue.order()
    assert [client for client, _ in order[:4]] == ["flood", "a", "b", "c"]
    assert drained(queue) == order
    assert [number for client, number in order if client == "flood"] == list(range(100))


def test_who_was_served_waits_for_all_who_wait():
    queue, numbers = FairQueue(), Random(1)
    waiting = dict.fromkeys("abcd", 0)
    served_since = {client: set() for client in waiting}
    for number in range(2000):
        client = numbers.choice("aaaaabcd")
        queue.put(client, client)
        waiting[client] += 1
        if number % 2:
            taken = queue.take()
            waiting[taken] -= 1
            for other in waiting:
                if waiting[other] and other != taken:
                    # Nobody is passed by the same client twice.
                    assert taken not in served_since[other]
                    served_since[other].add(taken)
            served_since[taken] = set()
        for other in waiting:
            if not waiting[other]:
                served_since[other] = set()
    assert len(queue) == sum(waiting.values())


def test_who_is_not_eligible_keeps_the_place():
    queue = FairQueue()
    for client in "abab":
        queue.put(client, client)
    assert queue.take(lambda client: client != "a") == "b"
    assert queue.take(lambda client: client == "c") is None
    assert drained(queue) == ["a", "b", "a"]


def test_items_can_be_removed_while_they_wait():
    queue = FairQueue()
    for client, item in ("a1", "a2", "b1"):
        queue.put(client, item)
    assert queue.remove("a", "1")
    assert not queue.remove("a", "1")
    assert not queue.remove("c", "1")
    assert queue.remove("b", "1")
    assert drained(queue) == ["2"]
    assert len(queue) == 0
