"""From a document's text to what it says about names: chooses the harvester.

Pure and total: any text gives a harvest, in time linear in its length; JSON that is nested
too deeply raises ``TooDeepError``. The path decides the
format (`policy.format_of`); for XML the content does, and a path of no known format is read as
plain text.  A page that ``conflens docs`` made says nothing: it knows what code knows.
"""

from conflens.documents.harvesters.asciidoc import harvest_asciidoc
from conflens.documents.harvesters.bundles import harvest_bundle
from conflens.documents.harvesters.configuration_xml import harvest_configuration, is_configuration
from conflens.documents.harvesters.html_pages import harvest_html
from conflens.documents.harvesters.labels import add_text
from conflens.documents.harvesters.markdown import harvest_markdown
from conflens.documents.harvesters.plain_text import harvest_text
from conflens.documents.harvesters.restructured_text import harvest_restructured
from conflens.documents.harvesters.settings import CONF, INI, PROPERTIES, YAML, harvest_settings
from conflens.documents.harvesters.spring_metadata import harvest_metadata
from conflens.documents.mention import Harvest
from conflens.documents.policy import Format, format_of, is_bundle
from conflens.documents.source import Collector, source_of

MADE_HERE = "Made by `conflens docs`; changes are overwritten."
"""What tells a page of ours from what a person has written; it stands near its beginning."""
_HEAD = 1_000


def harvest(path: str, text: str) -> Harvest:
    """Everything the document at `path` says about names. `path` is used for its name only."""
    if MADE_HERE in text[:_HEAD]:
        return Harvest()
    source = source_of(text)
    collector = Collector(source)
    match format_of(path):
        case Format.XML if is_configuration(path, source.text):
            defaults = "-default.xml" in path.lower()
            harvest_configuration(source, collector, defaults)
            add_text(collector, source.text)
        case Format.XML:
            harvest_html(source, collector, properties=True)
        case Format.PROPERTIES if is_bundle(path):
            harvest_bundle(source, collector)
        case Format.PROPERTIES:
            harvest_settings(source, collector, PROPERTIES)
            add_text(collector, source.text)
        case Format.CONF:
            harvest_settings(source, collector, CONF)
            add_text(collector, source.text)
        case Format.INI:
            harvest_settings(source, collector, INI)
            add_text(collector, source.text)
        case Format.YAML:
            harvest_settings(source, collector, YAML)
            add_text(collector, source.text)
        case Format.SPRING_METADATA:
            harvest_metadata(source, collector)
        case Format.MARKDOWN:
            harvest_markdown(source, collector)
        case Format.ASCIIDOC:
            harvest_asciidoc(source, collector)
        case Format.RESTRUCTURED:
            harvest_restructured(source, collector)
        case Format.HTML:
            harvest_html(source, collector)
        case Format.SCRIPT:
            harvest_text(source, collector, script=True)
        case Format.TEXT | None:
            harvest_text(source, collector, script=False)
    return collector.harvest()
