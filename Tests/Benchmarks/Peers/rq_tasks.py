"""The task of the RQ peer."""


def answer(number):
    return number + 1
