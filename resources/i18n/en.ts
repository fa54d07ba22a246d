<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en" sourcelanguage="en">
    <context>
        <name>TranscriptWords</name>
        <message numerus="yes">
            <source>The conversation fills the model&apos;s context: the prompt alone took %n token(s).</source>
            <translation>
                <numerusform>The conversation fills the model&apos;s context: the prompt alone took %n token.</numerusform>
                <numerusform>The conversation fills the model&apos;s context: the prompt alone took %n tokens.</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n token(s)</source>
            <translation>
                <numerusform>%n token</numerusform>
                <numerusform>%n tokens</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n prompt token(s) from the cache</source>
            <translation>
                <numerusform>%n prompt token from the cache</numerusform>
                <numerusform>%n prompt tokens from the cache</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n earlier turn(s) did not fit into the context and were left out.</source>
            <translation>
                <numerusform>%n earlier turn did not fit into the context and was left out.</numerusform>
                <numerusform>%n earlier turns did not fit into the context and were left out.</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>One character of %n token(s), together %1</source>
            <translation>
                <numerusform>One character of %n token, together %1</numerusform>
                <numerusform>One character of %n tokens, together %1</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>kaikou::ConsistencyModel</name>
        <message numerus="yes">
            <source>%n answer(s): </source>
            <translation>
                <numerusform>%n answer: </numerusform>
                <numerusform>%n answers: </numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>kaikou::ConsistencyView</name>
        <message numerus="yes">
            <source>Ask %n time(s)</source>
            <translation>
                <numerusform>Ask once</numerusform>
                <numerusform>Ask %n times</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>kaikou::DistributionModel</name>
        <message numerus="yes">
            <source>%n other(s)</source>
            <translation>
                <numerusform>%n other</numerusform>
                <numerusform>%n others</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>kaikou::MainWindow</name>
        <message numerus="yes">
            <source>%n token(s)</source>
            <translation>
                <numerusform>%n token</numerusform>
                <numerusform>%n tokens</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n old turn(s) do not fit</source>
            <translation>
                <numerusform>%n old turn does not fit</numerusform>
                <numerusform>%n old turns do not fit</numerusform>
            </translation>
        </message>
    </context>
<context>
    <name>DefaultsText</name>
    <message numerus="yes">
        <source>, %n thread(s)</source>
        <translation>
            <numerusform>, %n thread</numerusform>
            <numerusform>, %n threads</numerusform>
        </translation>
    </message>
</context>
</TS>
