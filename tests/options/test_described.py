"""Descriptions do not give the values of secrets."""

from __future__ import annotations

import pytest

from conflens.base.span import Place
from conflens.options.described import shown_description
from conflens.options.model import Default, Option, OptionType

OPAQUE = "hunter7Zq"


def option(name: str, *defaults: str, kind: OptionType = OptionType.STRING) -> Option:
    place = Place("A.java", 0, 0)
    stated = tuple(Default(text, place) for text in defaults)
    return Option(name, "system-property", kind, "", (), "", stated, False, "", (), ())


@pytest.mark.parametrize(
    "text",
    [
        "(default `SECRET`)",
        "The password (default SECRET).",
        "e.g. `auth.token=SECRET`",
        "default: SECRET",
        "The password. Default is SECRET.",
        "Defaults to `SECRET`, which is weak.",
        "Defaults to <code>SECRET</code>.",
        "{@code SECRET} by default",
        'default value: "SECRET"',
        "The default value is SECRET",
        "Password of the store. **Default:** SECRET",
        "Default password 'SECRET' or what is set.",
        "With the default password of `SECRET`.",
        "Set `db.password: SECRET` there",
        "The password, e.g. `SECRET`, of the store.",
        "The password (for example 'SECRET').",
        'A password such as "SECRET"',
        "The password, by default `SECRET`.",
        "By default, it is 'SECRET'.",
    ],
)
@pytest.mark.parametrize("secret", [OPAQUE, "changeit"])
def test_a_secret_that_is_stated_is_hidden(text: str, secret: str) -> None:
    shown = shown_description(option("db.password"), text.replace("SECRET", secret))
    assert shown == text.replace("SECRET", "(hidden)")


def test_an_example_without_quotes_is_hidden_if_it_is_no_word() -> None:
    one = option("db.password")
    assert (
        shown_description(one, f"The password, e.g. {OPAQUE}.") == "The password, e.g. (hidden)."
    )
    for text in (
        "The password, e.g. of a user.",
        "A password, such as letters.",
        "For example `db.user`.",
    ):
        assert shown_description(one, text) == text


@pytest.mark.parametrize(
    "text", ["the password, SECRET by default", "the password, default SECRET"]
)
def test_without_a_sign_only_what_is_no_word_is_one(text: str) -> None:
    one = option("db.password")
    assert shown_description(one, text.replace("SECRET", OPAQUE)) == text.replace(
        "SECRET", "(hidden)"
    )
    plain = text.replace("SECRET", "required")
    assert shown_description(one, plain) == plain


@pytest.mark.parametrize(
    "text",
    [
        "The default password is used.",
        "The default password of devices.",
        "The default is the user name.",
        "The default is to ask. Empty by default, not set by default.",
        "Default: none. Default: true",
        "(default: empty)",
        "(default behavior)",
        "default: ${db.pw}",
        "Defaults to `keystore.password`.",
        "Defaults to `org.example.security.DefaultPasswords`.",
        "Default is MASTER_PASSWORD.",
        "Signed by HmacSHA256 by default",
        "the default keystore password, the default `PasswordReader` reads it",
        "By default `digest.sh` makes it.",
        "Lasts a default value of 30 minutes (default: 60 s).",
        "<<the-default-codec,the default codec>>",
        "user:password@host, --password=<password>",
        "The password, defaults to the store's password",
    ],
)
def test_descriptions_without_a_secret_stay(text: str) -> None:
    assert shown_description(option("db.password"), text) == text


def test_options_that_are_no_secrets_keep_their_defaults() -> None:
    text = "Waits this long (default 500), the default is `slow7fast`."
    assert shown_description(option("db.mode"), text) == text
    assert shown_description(option("max.tokens", kind=OptionType.INTEGER), text).startswith(
        "Waits this long (default 500)"
    )


@pytest.mark.parametrize(
    ("default", "text", "shown"),
    [
        ("hunter", "Nobody should leave it at hunter there.", "Nobody should leave it at (hidden) there."),
        ("hunter", "Change the hunter.size or hunters", "Change the hunter.size or hunters"),
        ("admin", "the password of the admin is 'admin'", "the password of the admin is '(hidden)'"),
        ("password", "the password", "the password"),
        ("hunter", "hunter by default", "(hidden) by default"),
        (".xml", "See core-site.xml", "See core-site.xml"),
        ("true", "true if it is", "true if it is"),
    ],
)  # fmt: skip
def test_a_hidden_default_is_hidden_where_it_is_told_again(
    default: str, text: str, shown: str
) -> None:
    assert shown_description(option("db.password", default), text) == shown
    assert shown_description(option("db.password"), text, [default, None]) == shown


@pytest.mark.parametrize(
    "text",
    ["default: " * 20_000, "default " * 20_000, "'" * 60_000, "`a` by default" * 5_000, "a b " * 40_000,
     "db.password: " * 10_000, "hunter7Zq" * 10_000],
)  # fmt: skip
def test_long_descriptions_take_little_work(text: str) -> None:
    assert shown_description(option("db.password", "hunter7Zq"), text)
