/** Law: an error that can reach a user has a code, and docs/errors.md explains it. */

import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import t from 'tap'
import { codesOf, page, pageText, sources } from '../error-codes.ts'

const all = sources()

/**
 * Errors without a code, by file and the beginning of their message, with the reason why they reach no user unchanged.
 */
const bare: Readonly<Record<string, string>> = {
  'join-path.ts: ${from.uid}.${name} has no fixed target':
    'the planner calls it only for relations with a fixed target',
  'resolve.ts: A test without an attribute at': 'the parser refuses such filters',
  'planner.ts: The root of a plan for': 'only populated nodes can be dropped',
  'ddl.ts: There is no column type for':
    'every storage has a type, and attribute types with another storage are refused',
  'sweep.ts: The database does not respond': 'the cause of a 503, with the code of drivers',
  'open.ts: the server did not answer within': 'the cause of a DatabaseConnectionError',
  'process.ts: reply.message': "another process's error, with its code",
  'question.ts: A connection for reads cannot write': 'only reads are sent there',
  'loop-question.ts: A connection for reads cannot write': 'only reads are sent there',
  'local.ts: ${JSON.stringify(key)} cannot be the key of a file': 'keys are made by the plugin upload itself',
  'cancel.ts: The server did not accept the cancellation': 'closes a socket without listeners',
  'branches.ts: ${parentType.name}.${fieldName} is not an attribute':
    'only generated fields of attributes have its resolver',
  'run.ts: The field "${key}" was not read from the operation': 'execution and selection read the same operation',
  'run.ts: The field "${key}" has not run': 'only fields that have run are written',
  'run.ts: The checks of the field': 'what passes its checks runs',
  'write-answer.ts: The field "${root.key}" is resolved by code': 'operations with such fields are executed',
  'row-writer.ts: The answer cannot be written as text': 'plans are checked before rows are read',
  'own-texts.ts: The answer has more own fields': 'those that are written are called first',
  'own-values.ts: Unexpected error value': 'stands for what a resolver has thrown',
  'reader.ts: ${type.name}.${name} is an operation below the root':
    'only fields of the roots are generated as operations',
  'reader.ts: The field "${field.name}" is not an object': 'generated fields with this meaning are objects',
  'response.ts: ${info.parentType.name}.${info.fieldName} has not the type':
    'plugins give it only to fields that they have declared with such a type',
  'inputs.ts: Component not found': 'becomes an error of validation',
  'inputs.ts: A component cannot have a file here.': 'becomes an error of validation',
  'seal.ts: ${name} has more than': 'the export itself makes this entry, which is short',
  'tar-extensions.ts: it gives all files': 'the reader of archives adds entry and place',
  'tar-extensions.ts: what describes the next file': 'the reader of archives adds entry and place',
  'tar-extensions.ts: the next file is': 'the reader of archives adds entry and place',
  'tar-extensions.ts: the size of the next file': 'the reader of archives adds entry and place',
  'parameters.ts: refusal': 'becomes an error of validation',
  'index.ts: The routes of accounts are not mounted yet': 'resolvers run only on a server',
}

t.test('docs/errors.md is up to date', async t => {
  t.equal(readFileSync(page, 'utf8'), pageText(all), 'node contract/error-codes.ts writes it')
})

t.test('every code is declared once and described', async t => {
  const codes = [...codesOf('ErrorCodes', all), ...codesOf('AnswerCodes', all)]
  t.ok(codes.length > 40, 'there are codes')
  for (const { code, meaning } of codes) t.match(meaning, /^\S[\s\S]*\.$/, code)
  const names = codes.map(one => one.code)
  t.same(
    names.filter((name, i) => names.indexOf(name) !== i),
    [],
  )
})

t.test('the codes of start errors are those that are thrown', async t => {
  const thrown = new Set(all.flatMap(({ text }) => [...text.matchAll(/'(PLINTH_\w+)'/g)].map(([, code]) => code!)))
  const known = codesOf('ErrorCodes', all).map(one => one.code)
  for (const code of known) t.match(code, /^PLINTH_[A-Z]+(_[A-Z]+)*$/)
  t.same([...thrown].sort(), known.sort())
})

t.test('every name of an error in a response is declared with its status', async t => {
  const known = new Map(codesOf('AnswerCodes', all).map(one => [one.code, one.value]))
  const ways =
    /(?:super|new PlinthError|libraryError|envelope)\((\d{3}), '(\w+)'|^ {2}(\d{3}): '(\w+Error)',|, (\d{3}), '(\w+)'\)/gm
  const sent = all.flatMap(({ text }) =>
    [...text.matchAll(ways)].map(([, a, aName, b, bName, c, cName]) => [aName ?? bName ?? cName!, a ?? b ?? c!]),
  )
  t.ok(sent.length > 15, 'there are answers')
  for (const [name, status] of sent) t.equal(known.get(name!), status!, name!)
})

t.test('only errors that no user meets lack a code', async t => {
  const found = all.flatMap(({ path, text }) =>
    [...text.matchAll(/new (?:Type|Range|Syntax)?Error\(\s*['"`]?([^\n]*)/g)].map(
      ([, words]) => `${basename(path)}: ${words}`,
    ),
  )
  const reasons = Object.keys(bare)
  t.same(
    found.filter(one => !reasons.some(reason => one.startsWith(reason))),
    [],
    'StartError, RegistrationError and UsageError have codes',
  )
  t.same(
    reasons.filter(reason => !found.some(one => one.startsWith(reason))),
    [],
    'the list names none that are gone',
  )
})

t.test('a place in config/plugins is written as <plugin>.config.<path>', async t => {
  const places = all.flatMap(({ path, text }) =>
    [...text.matchAll(/(?:['"`]config\/plugins: |PluginConfigError\(\[\s*['"`])(?!\$\{|<)([^'"`]*)/g)].map(
      ([, words]) => `${basename(path)}: ${words}`,
    ),
  )
  t.ok(places.length > 10, 'there are such places')
  t.same(
    places.filter(one => !/: (?:[a-z\d]+(?:-[a-z\d]+)*\.config\.[\w$]|the dependencies of plugins )/.test(one)),
    [],
  )
})
