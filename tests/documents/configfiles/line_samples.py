"""Realistic texts of the line formats, for tests that tear them apart."""

PROPERTIES = """\
# Licensed to nobody
server.port=8080
server.name : caf\\u00e9 \\
    and bar
!commented=out
%dev.quarkus.datasource."a.b".url = jdbc:h2:mem
path\\ with\\:odd\\=key = C:\\\\temp\\\\
map.[a.b].c=1
flag
empty=

#---
spring.config.activate.on-profile=prod
server.port=${PORT:80}
list=a,\\
     b,\\
     c
last=é😀 \t
"""

ENVIRONMENT = """\
# database
export DB_URL="jdbc:postgresql://db/${DB:-x}" # where
DB_USER=me
DB_PASSWORD='p#a$$'
KEY="-----BEGIN
line
-----END"
EMPTY=
spring.datasource.url=jdbc:h2:mem:é
#OFF=1
LAST=😀 # x
"""

SHELL = """\
#!/bin/sh
# JAVA_OPTS="-Dno.no=1"
export HEAP=${HEAP:-512m} X=1
JAVA_OPTS="$JAVA_OPTS -Da.b=c -Dd.d=\\"x y\\""
JAVA_OPTS="$JAVA_OPTS
  -De.f=1 -Dg.h=é"
A=1 B='it' cmd -Dx.y=1 "-Dp.q=r s" -D"t.u=v w" -Dn.m="o p" --Dz.z=1 -Dflag.on -D$K=1 # -Dno.no=1
if [ "$A" = "x" ]; then C=3; fi
: "${DD:=foo}"
cat <<END
H=1 -Dno.no=1
END
exec java -XX:+UseG1GC -Xmx1g -D last.one=1 -jar x.jar \\
   -Dcont.a=1 \\
   e=f
LIST=("-Daa.a=b c" "-Dbb.b=d")
"""

BATCH = """\
@echo off
rem set NO=1
:: set NO=2
set JAVA_OPTS=%JAVA_OPTS% -Da.b=c -Dd.d="x y"
SET "TEMP_DIR=C:\\foo\\"
if not defined X set X=1
java %JAVA_OPTS% "-Dlog.dir=C:\\logs\\" -Dq.r=%X% Main
"""

DOCKER = """\
FROM x
# ENV NO=1
ENV A=1 B="x y" \\
  # between
  C='z' D=e
ENV OLD value with blanks
ENV OPTS "-Da.b=c -Dd.e=f"
ENV JAVA_OPTS="-Da.b=c -Dd.e=\\"f g\\""
CMD ["java", "-Dg.h=i j", "-jar", "x.jar"]
RUN java -Dk.l=m,n -jar
"""

COMPOSE = """\
services:
  web:
    image: x
    environment:
      - A=1
      - "B=x y"
      - JAVA_OPTS=-Da.b=c -Dd.e=f
      - discovery.type=single-node
      - PASS
    command: java -Dc.d=1 "-De.f=g h" [x]
    entrypoint: ["java", "-Dg.h=i", "-Dk.l=m n"]
  db:
    environment:
      A: 1 # note
      "C": "x \\"y\\""
      OPTS: "-Da.b=c -Dd.e=f"
      EMPTY:
      # NO: 1
    ports:
      - "80:80"
      - NO=1
"""

UNIT = """\
[Service]
# Environment=NO=1
; Environment=NO=1
Environment="JAVA_OPTS=-Da.b=c -Dd.e=f" B=1 'C=x y'
Environment=D=2
ExecStart=/usr/bin/java -Dx.y=z "-Dw.w=a b" -jar x
"""

OPTIONS = """\
# heap
## -Dno.no=1
-Xmx1g
-Da.b=c d
8-13:-Dx.y=1
14-:-Dz.z=é
-XX:+UseG1GC
-Dflag
-Dq.q="x y"
-Dm.n=1 -Do.p=2
"""
