"""What PyYAML says that a YAML text assigns, flattened as config files are; and texts to test with."""

from collections.abc import Iterator

import yaml

from conflens.documents.configfiles.model import Assignment, Kind
from conflens.documents.configfiles.yaml import dialect
from conflens.documents.configfiles.yaml.scalars import NULLS

Told = tuple[int, str, object]

SPRING = """\
# Main settings of the shop
server:
  port: 8080   # http
  servlet:
    context-path: "/shop"
  compression: {enabled: true, mime-types: [text/html, "text/css"], min-response-size: 2KB}

spring:
  profiles:
    active: dev
  application:
    name: shop
  datasource:
    url: jdbc:h2:mem:shop;DB_CLOSE_DELAY=-1
    # a pool
    # of connections
    hikari:
      maximum-pool-size: 20
      connection-timeout: ~
  jpa.show-sql: no
management.endpoints.web.exposure.include: '*'
logging:
  level:
    root: INFO
    "[org.shop.web]": DEBUG
shop:
  greeting: >-
    Hello
    and welcome

    to the shop
  banner: |
    ****
      shop
    ****
  servers:
  - name: a
    host: ${HOST:localhost}
  - name: b
    host: "b\\tc"
  tags:
    - red
    - 'it''s'
  note: several words
    over two lines
---
spring:
  config:
    activate:
      on-profile: prod
server:
  port: 80
---
spring.profiles: [test, "it"]
server.port: 0
"""

CASSANDRA = """\
# The name of the cluster. This is mainly used to prevent machines in
# one logical cluster from joining another.
cluster_name: 'Test Cluster'
num_tokens: 16

# initial_token:
hinted_handoff_enabled: true
max_hint_window: 3h
data_file_directories:
    - /var/lib/cassandra/data
    - /var/lib/cassandra/more
seed_provider:
    # Addresses of hosts
    - class_name: org.apache.cassandra.locator.SimpleSeedProvider
      parameters:
          # seeds is a list
          - seeds: "127.0.0.1:7000,127.0.0.2:7000"
concurrent_reads: 32
memtable:
  configurations:
    skiplist:
      class_name: SkipListMemtable
    default:
      inherits: skiplist
commitlog_segment_size: 32MiB
#   local_system_data_file_directory:
client_encryption_options:
  enabled: false
  keystore: conf/.keystore
  cipher_suites: [
    TLS_A,   # first
    TLS_B,
  ]
"""

KUBERNETES = """\
apiVersion: v1
kind: ConfigMap
metadata: &meta
  name: shop
  labels: {app: shop, tier: "back end"}
data:
  application.properties: |
    a.b=1
    c: d
  empty: ""
---
x-base: &base
  image: shop:1.0
  env:
  - {name: A, value: "1"}
  - name: B
    value: "2"
  limits: &limits [1, 2]
services:
  one:
    <<: *base
    image: shop:2.0
  two:
    <<: [*base, {extra: 1}]
    limits: *limits
  three: *base
? explicit
: value
? "quoted key"
:
  - 1
  - - 2
    - 3
  - deep: !!str 5
...
---
!root
a: !custom b
c: !!null x
d:
- &anchor e
- *anchor
-
f: [a: 1, {b}, "c": 2, [], [3, [4]]]
"""

QUARKUS = """\
quarkus:
  http:
    port: 8080
"%dev":
  quarkus:
    http:
      port: 8181
"%test.quarkus.http.port": 0
.hidden: 1
"""

FILES = {"spring": SPRING, "cassandra": CASSANDRA, "kubernetes": KUBERNETES}


def parse(text: str) -> tuple[Assignment, ...]:
    return dialect.parse(text).assignments


def ours(text: str) -> list[Told]:
    """What we say, without sections."""
    return [told(one) for one in parse(text) if one.kind is not Kind.SECTION]


def told(one: Assignment) -> Told:
    if one.kind is Kind.LIST:
        return one.document, one.name, tuple(item.text for item in one.items)
    return one.document, one.name, None if one.value is None else one.value.text


def theirs(text: str) -> list[Told]:
    """What PyYAML says."""
    found: list[Told] = []
    for number, node in enumerate(yaml.compose_all(text, yaml.SafeLoader)):
        if node is not None:
            found += [(number, name, value) for name, value in _walk(node, "")]
    return found


def _scalar(node: yaml.ScalarNode) -> str | None:
    if node.tag == "tag:yaml.org,2002:null":
        return None
    assert node.style or node.value not in NULLS or node.tag != "tag:yaml.org,2002:null"
    return str(node.value)


def _walk(node: yaml.Node, name: str) -> Iterator[tuple[str, object]]:
    if isinstance(node, yaml.MappingNode):
        for key, value in _pairs(node):
            yield from _walk(value, key if not name else name + key if key[:1] == "[" and key[-1:] == "]" else f"{name}.{key}")  # fmt: skip
    elif isinstance(node, yaml.SequenceNode):
        scalars = [one for one in node.value if isinstance(one, yaml.ScalarNode)]
        if name and len(scalars) == len(node.value):
            yield name, tuple(_scalar(one) or "" for one in scalars)
            return
        for number, one in enumerate(node.value):
            yield from _walk(one, f"{name}[{number}]")
    elif isinstance(node, yaml.ScalarNode) and name:
        yield name, _scalar(node)


def _pairs(node: yaml.MappingNode) -> list[tuple[str, yaml.Node]]:
    own = [(key.value, value) for key, value in node.value if key.tag != "tag:yaml.org,2002:merge"]
    taken = {key for key, _ in own}
    for key, value in node.value:
        if key.tag == "tag:yaml.org,2002:merge":
            for source in value.value if isinstance(value, yaml.SequenceNode) else [value]:
                brought = [pair for pair in _pairs(source) if pair[0] not in taken]
                taken |= {name for name, _ in brought}
                own += brought
    return own
