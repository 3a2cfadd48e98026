/** The few lines of Python that join the page to the engine: each reads `given` and writes `answer`, both JSON. */

const BEGIN = "import json\ngiven = json.load(open('given'))\n";

/** @param {string} imports @param {string} body ends by setting `answer` */
const code = (imports, body) => `${imports}${BEGIN}${body}\njson.dump(answer, open('answer', 'w'))\n`;

/** Numbers as a workload that a bridge takes: `{ name, traffic }`. */
export const DRAWN = code(
  "from engine.simulate.traffic import Traffic\nfrom engine.live.client.link import workload_body\n",
  "answer = workload_body(Traffic.from_mapping(given['traffic']).workload(given['name']))['workload']",
);

/** A file of any known format, its first requests, sooner by a factor: `{ name, text, most, faster }`. */
export const READ = code(
  "from engine.readers import read\nfrom engine.live.client.link import workload_body\nfrom engine.workload import Workload\n",
  `reading = read(given['text'].splitlines(keepends=True), given['name'])
whole = reading.workload()
kept = tuple(one._replace(at=round(one.at / given['faster'])) for one in whole.arrivals[:given['most']])
body = workload_body(Workload(whole.name, kept, whole.seed, whole.about))['workload']
answer = {'workload': body, 'format': reading.format.name, 'whole': len(whole), 'notes': reading.notes()}`,
);

/** The lines of a run, also of one that broke off, as a trace that can be kept: `{ lines }`. */
export const GATHERED = code(
  "from engine.live.client.gathering import Gatherer\n",
  `gatherer = Gatherer()
for line in given['lines']:
    gatherer.take(line)
if given['why']:
    gatherer.stop(given['why'])
trace = gatherer.trace()
lanes = [(name, trace.lane(name)) for name in trace.lanes] or [('', trace)]
answer = {'text': trace.to_jsonl(), 'lanes': [{'name': name, 'text': one.to_jsonl()} for name, one in lanes], 'why': trace.why}`,
);

/** Fit to one trace, predict another: `{ fitted, other }`, both texts. */
export const PREDICTED = code(
  `from engine.trace import Trace
from engine.calibrate.runs import compare_runs, fit_run, predict_run
from engine.calibrate.run_page import fit_words
`,
  `fitted = fit_run(Trace.from_jsonl(given['fitted'], 'the run to fit to'))
other = Trace.from_jsonl(given['other'], 'the run to predict')
predicted = predict_run(fitted, other)
compared = {name: one.as_dict() for name, one in compare_runs(other, predicted).items()}
answer = {'words': fit_words(fitted), 'by': fitted.by, 'compared': compared, 'predicted': predicted.to_jsonl()}`,
);
