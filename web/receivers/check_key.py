# python3 check_key.py FILE…
import re, sys, zlib

DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
KEY = re.compile(r"\bcomply_([0-9A-Za-z]{26})([0-9A-Za-z]{6})\b")


def checksum(random):
    number, digits = zlib.crc32(random.encode()), ""
    for _ in range(6):
        number, digit = divmod(number, 62)
        digits = DIGITS[digit] + digits
    return digits


for path in sys.argv[1:]:
    with open(path, errors="replace") as file:
        for line, text in enumerate(file, 1):
            for random, last in KEY.findall(text):
                if checksum(random) == last:
                    print(f"{path}:{line}: comply_{random[:9]}…")  # its prefix: enough to find and revoke it
