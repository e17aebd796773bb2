"""Research areas: the nouns that a paper's prose is about.

Every list keeps one grammatical form, so that any of its entries fits a plan's slot: `hard`, `pieces`, `sources`,
`labels` and `users` are plural, `quality` is a mass noun, tasks come as `name = paraphrase`.
"""

from __future__ import annotations

from functools import cache
from typing import Final, NamedTuple

from agenthop_env.worlds.stock import phrases


class Area(NamedTuple):
    """One research area.

    Attributes:
        number: Its place among all areas.
        unit: What one example is, singular, without article.
        units: The same, plural.
        tasks: Task names as titles print them.
        plain: Per task a paraphrase that shares no content word with its name.
        hard: Difficult cases, plural.
        pieces: What examples consist of, plural.
        quality: What systems should have, mass nouns.
        sources: Where data come from, plural.
        labels: What annotators mark, plural.
        users: Who needs it, plural.
        metrics: Names of scores in which higher is better.
    """

    number: int
    unit: str
    units: str
    tasks: tuple[str, ...]
    plain: tuple[str, ...]
    hard: tuple[str, ...]
    pieces: tuple[str, ...]
    quality: tuple[str, ...]
    sources: tuple[str, ...]
    labels: tuple[str, ...]
    users: tuple[str, ...]
    metrics: tuple[str, ...]


_TEXT: Final = """
unit: recording = recordings
tasks: speech separation = pulling overlapping talkers apart | speaker diarization = deciding who spoke when | far-field transcription = writing down distant talk
hard: reverberant rooms | whispered passages | overlapping talkers | moving microphones | regional accents | clipped signals | passing sirens | very short turns
pieces: onsets | formants | pauses | phoneme boundaries | pitch contours | breath sounds
quality: intelligibility | speaker consistency | naturalness | temporal precision
sources: call centres | parish councils | radio archives | village schools | oral-history projects
labels: speaker turns | word timings | noise types | overlap regions
users: hearing-aid wearers | court reporters | meeting organizers
metrics: turn accuracy | separation gain | word recall

unit: scan = scans
tasks: lesion segmentation = outlining diseased tissue | organ delineation = tracing anatomical borders | nodule triage = ranking suspicious findings
hard: motion artefacts | faint margins | rare pathologies | metal implants | paediatric cases | low-dose acquisitions | post-surgical changes | thick slices
pieces: voxels | contours | intensity profiles | slice boundaries | vessel branches | tissue textures
quality: boundary fidelity | sensitivity | calibration | anatomical plausibility
sources: district hospitals | screening programmes | mobile clinics | teaching hospitals | trial archives
labels: margin outlines | severity grades | slice ranges | tissue classes
users: radiographers | treatment planners | ward physicians
metrics: volume overlap | margin recall | lesion precision

unit: trajectory = trajectories
tasks: traffic forecasting = predicting road loads ahead | demand estimation = judging how many riders will come | incident detection = spotting crashes early
hard: holiday weekends | closed bridges | sudden downpours | school-term changes | sensor outages | stadium events | night shifts | newly built roads
pieces: loop counts | headways | turning ratios | queue lengths | signal phases | lane changes
quality: timeliness | spatial coherence | robustness | stability
sources: toll operators | bus depots | traffic offices | ferry lines | taxi fleets
labels: congestion states | incident marks | route choices | peak periods
users: dispatchers | signal engineers | road authorities
metrics: peak accuracy | flow agreement | incident recall

unit: sentence pair = sentence pairs
tasks: low-resource translation = rendering text between poorly documented languages | terminology control = keeping expert terms fixed | quality estimation = judging output without references
hard: code-switched passages | long subordinate clauses | honorific forms | loanwords | spelling variants | idioms | verbless headlines | legal formulas
pieces: morphemes | word orders | function words | clause boundaries | agreement markers | name spellings
quality: adequacy | fluency | term fidelity | register consistency
sources: local newspapers | parliament archives | subtitle studios | village radio stations | school publishers
labels: error spans | adequacy grades | term links | register tags
users: court interpreters | relief workers | textbook editors
metrics: term accuracy | adequacy score | segment agreement

unit: grasp attempt = grasp attempts
tasks: robotic grasping = picking objects up by machine | bin picking = emptying cluttered boxes | tool handover = passing implements to people
hard: transparent objects | deformable bags | tangled cables | glossy lids | stacked trays | heavy handles | occluded rims | wet surfaces
pieces: contact points | finger poses | force traces | surface normals | approach angles | slip events
quality: repeatability | dexterity | contact safety | precision
sources: packing plants | repair shops | hotel kitchens | parcel hubs | plant nurseries
labels: contact patches | failure causes | object classes | slip moments
users: warehouse operators | care assistants | line engineers
metrics: pick success | pose accuracy | handover rate

unit: tile = tiles
tasks: land-cover mapping = classifying terrain from above | flood delineation = tracing inundated ground | crop monitoring = following fields over a season
hard: thin clouds | terraced slopes | burnt fields | snow patches | narrow canals | mixed orchards | cast shadows | shallow lagoons
pieces: spectral bands | parcel edges | texture patches | seasonal curves | pixel mixtures | elevation steps
quality: spatial consistency | thematic accuracy | seasonal stability | transferability
sources: survey offices | river authorities | mountain districts | island councils | farm cooperatives
labels: parcel outlines | cover classes | water masks | harvest dates
users: agronomists | flood wardens | forest services
metrics: class agreement | mask overlap | parcel recall

unit: patch = patches
tasks: program repair = mending faulty source code | fault localization = finding the guilty line | test generation = writing checks automatically
hard: concurrency bugs | generated files | legacy macros | off-by-one faults | flaky checks | cross-module edits | silent overflows | missing headers
pieces: call sites | type hints | loop bounds | import chains | branch conditions | stack frames
quality: correctness | readability | minimality | build stability
sources: programming courses | firmware projects | tool vendors | plugin markets | teaching platforms
labels: fault lines | edit types | test verdicts | review notes
users: maintainers | release engineers | tutors
metrics: repair rate | line accuracy | plausible-fix share

unit: ruling = rulings
tasks: case-law retrieval = finding relevant judgments | statute linking = tying decisions to provisions | argument mining = extracting lines of reasoning
hard: partial dissents | repealed provisions | nested quotations | mixed jurisdictions | unreported decisions | procedural orders | ancient spellings | consolidated appeals
pieces: holdings | headnotes | citations of record | party names | procedural steps | quoted passages
quality: completeness | precision | doctrinal coherence | traceability
sources: appellate courts | tax tribunals | land registries | labour boards | bar libraries
labels: holding spans | issue tags | relevance grades | provision links
users: law clerks | legal-aid offices | legislative drafters
metrics: holding recall | rank agreement | link precision

unit: session = sessions
tasks: sequential recommendation = proposing the next item | basket completion = guessing what is still missing from a cart | churn prediction = foreseeing who will leave
hard: cold items | gift purchases | shared accounts | seasonal spikes | returned goods | bot visits | price shocks | long absences
pieces: click runs | dwell times | category jumps | search strings | basket sizes | repeat visits
quality: diversity | freshness | ranking stability | coverage
sources: grocery chains | library portals | ticket shops | podcast apps | second-hand markets
labels: purchase intents | exposure logs | return reasons | session types
users: shop editors | librarians | campaign planners
metrics: hit share | list agreement | next-item recall

unit: molecule = molecules
tasks: property prediction = foretelling how compounds behave | reaction planning = choosing synthetic steps | toxicity screening = flagging harmful compounds
hard: macrocycles | charged species | rare scaffolds | tautomers | metal complexes | stereo pairs | mixture samples | flexible chains
pieces: ring systems | bond orders | torsion angles | functional groups | electron counts | fragment pairs
quality: chemical validity | ranking fidelity | calibration | scaffold transfer
sources: patent offices | assay archives | teaching labs | chemical vendors | dye factories
labels: assay outcomes | reaction classes | hazard flags | yield bands
users: medicinal chemists | safety officers | process engineers
metrics: assay agreement | scaffold recall | route accuracy

unit: frame = frames
tasks: rain nowcasting = short-range prediction of showers | storm tracking = following severe cells | fog prediction = warning of poor visibility
hard: coastal fronts | orographic showers | hail cores | radar shadows | melting layers | dry intrusions | squall lines | ship echoes
pieces: echo tops | motion vectors | reflectivity cells | wind profiles | humidity jumps | cell splits
quality: sharpness | reliability | lead-time skill | spatial realism
sources: regional airports | mountain stations | harbour offices | buoy networks | rescue services
labels: cell tracks | hail reports | fog onsets | front lines
users: flight controllers | harbour masters | event organizers
metrics: critical success | lead-time score | track agreement

unit: performance = performances
tasks: music transcription = writing down played notes | beat tracking = following the pulse | score following = aligning sheet and sound
hard: pedalled chords | ornament runs | rubato passages | choral textures | detuned strings | muted trumpets | applause bursts | doubled voices
pieces: note onsets | bar lines | overtones | voicings | tempo curves | dynamics marks
quality: rhythmic precision | pitch accuracy | voice consistency | musicality
sources: conservatories | village bands | organ archives | jazz clubs | opera houses
labels: note spans | beat positions | voice numbers | tempo marks
users: music teachers | arrangers | sound archivists
metrics: note agreement | beat recall | alignment score

unit: page = pages
tasks: table extraction = recovering rows and columns from documents | form understanding = reading filled-in fields | layout parsing = dividing documents into regions
hard: rotated stamps | merged cells | handwritten margins | faded carbon copies | nested lists | two-column notes | borderless grids | folded corners
pieces: ruling lines | cell spans | text blocks | reading orders | caption regions | column gaps
quality: structural fidelity | reading-order accuracy | field precision | legibility
sources: customs offices | insurance firms | small museums | hospital registries | harbour offices
labels: cell boxes | field names | region types | row links
users: archivists | claims handlers | auditors
metrics: cell agreement | field recall | order accuracy

unit: transaction = transactions
tasks: fraud detection = catching dishonest payments | account linkage = telling which holders belong together | anomaly ranking = ordering odd events by urgency
hard: mule accounts | split payments | dormant cards | refund loops | merchant takeovers | festival peaks | shared devices | cross-border transfers
pieces: device traces | amount patterns | counterparty links | login gaps | merchant codes | balance jumps
quality: precision | alert stability | explainability | timeliness
sources: savings banks | ticket resellers | wallet providers | travel agencies | aid charities
labels: chargeback marks | case verdicts | link types | alert grades
users: case investigators | compliance teams | card issuers
metrics: alert precision | case recall | ranking gain

unit: clip = clips
tasks: moment retrieval = locating described scenes | action anticipation = foreseeing what people do next | video captioning = describing footage in words
hard: jump cuts | crowded scenes | camera shakes | off-screen actions | slow fades | mirrored views | night shots | repeated gestures
pieces: shot boundaries | hand tracks | object states | gaze cues | motion bursts | scene changes
quality: temporal grounding | descriptive accuracy | coherence | recall of detail
sources: cooking channels | training studios | sports clubs | traffic control rooms | theatre archives
labels: moment spans | action names | caption drafts | object changes
users: film editors | coaches | accessibility teams
metrics: span agreement | moment recall | caption score

unit: trial = trials
tasks: brain-signal decoding = reading intentions from electrodes | sleep staging = dividing nights into phases | seizure forecasting = warning before fits
hard: muscle artefacts | drifting electrodes | drowsy subjects | loose contacts | first-time users | medication changes | eye blinks | short nights
pieces: spectral peaks | event potentials | channel pairs | spindle bursts | phase couplings | baseline shifts
quality: subject transfer | sensitivity | calibration | temporal stability
sources: sleep wards | rehabilitation centres | student clinics | headset makers | epilepsy centres
labels: stage marks | artefact masks | event times | confidence grades
users: sleep technicians | rehabilitation patients | night nurses
metrics: stage agreement | event recall | decoding accuracy

unit: dialogue = dialogues
tasks: state tracking = keeping up with what a user wants | response selection = choosing the next reply | intent discovery = finding unnamed requests
hard: changed minds | implied requests | multi-party chats | sarcastic replies | dropped pronouns | mixed languages | interrupted orders | vague dates
pieces: slot mentions | turn pairs | repair moves | greeting formulas | anaphors | confirmations
quality: consistency | helpfulness | turn accuracy | groundedness
sources: hotel desks | clinic hotlines | city helplines | repair services | travel bureaus
labels: slot values | act tags | repair points | satisfaction grades
users: support agents | booking clerks | visitors
metrics: joint accuracy | slot recall | reply agreement

unit: proof = proofs
tasks: theorem proving = deriving statements by machine | premise selection = choosing helpful lemmas | proof repair = mending broken derivations
hard: nested inductions | coercion chains | implicit arguments | quotient types | missing instances | long rewrites | universe levels | decimal bounds
pieces: goal states | tactic steps | hypothesis names | lemma calls | rewrite rules | case splits
quality: soundness | brevity | search efficiency | readability
sources: logic courses | olympiad teams | verification labs | proof seminars | formal libraries
labels: tactic names | premise sets | goal depths | failure points
users: library maintainers | proof engineers | lecturers
metrics: closed-goal share | premise recall | step accuracy
"""


@cache
def areas() -> tuple[Area, ...]:
    """All areas, in a fixed order."""
    found = []
    for number, block in enumerate(_TEXT.strip().split("\n\n")):
        fields = dict(line.split(": ", 1) for line in block.splitlines())
        unit, units = fields.pop("unit").split(" = ")
        tasks = [task.split(" = ") for task in phrases(fields.pop("tasks"))]
        lists = {name: phrases(text) for name, text in fields.items()}
        names, plain = zip(*tasks, strict=True)
        found.append(Area(number=number, unit=unit, units=units, tasks=names, plain=plain, **lists))
    return tuple(found)


COMPONENTS: Final = phrases(
    """the gating layer | the shared decoder | the memory bank | the alignment head | the residual path | the sparse
    router | the query pooler | the contrastive term | the calibration step | the span sampler | the teacher signal |
    the positional prior | the boundary detector | the prototype table | the re-ranking stage | the smoothing filter |
    the low-rank adapter | the recurrent cell | the attention mask | the difficulty scheduler | the consistency loss |
    the token mixer | the uncertainty head | the graph encoder | the copy mechanism | the context cache | the pruning
    rule | the soft vocabulary | the anchor set | the second pass"""
)
"""Parts of systems, with article, singular."""

ACTIONS: Final = phrases(
    """sharing weights across scales | delaying the first decision | pooling over neighbouring {units} | freezing {comp}
    early | training on synthetic {hard} | masking {pieces} at random | predicting {pieces} before {labels} | replaying
    hard {units} | splitting {comp} in two | normalizing {pieces} per source | averaging late checkpoints | sampling
    {units} by difficulty | tying {comp} to the input | dropping {comp} at test time | scoring {labels} jointly |
    conditioning on the data source | mixing {sources} in every batch | halving the context | applying {comp} twice |
    modelling {pieces} explicitly | annotating {labels} twice | weighting {units} by agreement | distilling {comp} into
    a single layer | ordering {units} by complexity"""
)
"""What an approach does: gerunds that can be a sentence's subject."""
