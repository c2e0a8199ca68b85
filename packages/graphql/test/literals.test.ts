// Literals in errors: those of private attributes, of passwords and of arguments that are secret are not shown, in answers
// and in the log (security.md row 73a).

import { Writable } from 'node:stream'
import passwords from '@plinth/passwords'
import { GraphQLError } from 'graphql'
import t, { type Test } from 'tap'
import { type as contentType, start } from './fixtures/extended.ts'

const shut = (type: string, more: object = {}) => ({ type, private: true, ...more })
const component = { type: 'component', component: 'a.part' }

const attributes = {
  name: { type: 'string' },
  pin: shut('integer'),
  rank: shut('biginteger'),
  rate: shut('float'),
  grade: shut('enumeration', { enum: ['A', 'B'] }),
  flag: shut('boolean'),
  born: shut('date'),
  clock: shut('time'),
  moment: shut('datetime'),
  text: shut('string'),
  doc: shut('json'),
  word: { type: 'password' },
  part: { ...component, private: true },
  parts: { ...component, repeatable: true },
  friends: shut('relation', { relation: 'oneToMany', target: 'api::member.member' }),
}

const components = {
  'a.part': { collectionName: 'parts', attributes: { url: { type: 'string' }, key: shut('integer') } },
}

/** A scalar that cites its literal in an error without a place, as those of applications may. */
const odd = {
  parseLiteral({ value }: { readonly value?: unknown }) {
    throw new GraphQLError(`Odd cannot represent ${value}`)
  },
}

async function open(t: Test) {
  const lines: string[] = []
  const stream = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk))
      done()
    },
  })
  const server = await start(t, {
    contentTypes: [contentType('member', attributes)],
    components,
    plugins: { passwords: { plugin: passwords } },
    logger: { level: 'trace', stream },
    extend: extension =>
      extension.use({
        typeDefs: `
          scalar Odd
          input EnterInput { name: String! password: Int when: Odd secrets: [EnterInput!] }
          extend type Mutation { enter(input: EnterInput!, code: Int, plain: Int): Int }
        `,
        resolvers: { Odd: odd, Mutation: { enter: () => 1 } },
        resolversConfig: { 'Mutation.enter': { auth: false } },
      }),
  })
  const ask = async (query: string, variables: object = {}) => {
    const { statusCode, body } = await server.app.inject({
      method: 'POST',
      url: '/graphql',
      payload: { query, variables },
    })
    return { status: statusCode, body }
  }
  return { lines, ask }
}

const create = (data: string) => `mutation { createMember(data: ${data}) { data { id } } }`
const filter = (filters: string) => `{ members(filters: ${filters}) { data { id } } }`
const enter = (args: string) => `mutation { a: enter(${args}) }`

t.test('a literal that is secret is in no error, whatever it is', async t => {
  const { ask, lines } = await open(t)
  const literals = ['"KNOWN"', 'KNOWN', '["KNOWN"]', '[[KNOWN]]', '{ a: "KNOWN" }', '[{ KNOWN: 1 }]', '9876543210123.5']
  literals.push('"""KNOWN"""', '$KNOWN')
  const places: ((literal: string) => string)[] = [
    literal => enter(`input: { name: "a", password: ${literal} }`),
    literal => enter(`input: { name: "a", secrets: { name: "b", when: ${literal} } }`),
    literal => enter(`input: { name: "a", secrets: [{ name: ${literal} }] }`),
    literal => enter(`input: { name: "a", token: ${literal} }`),
    literal => enter(`input: { name: "a" }, code: ${literal}`),
    literal => create(`{ part: { url: ${literal} } }`),
    literal => create(`{ part: [{ key: ${literal}, nope: 1 }] }`),
    literal => create(`{ parts: [{}, { key: ${literal} }] }`),
    literal => create(`{ name: { password: ${literal} } }`),
    literal => create(`[[{ word: ${literal} }]]`),
    literal => filter(`{ and: [{ not: { pin: { in: [1, ${literal}] } } }] }`),
    literal => filter(`{ or: { moment: { gt: ${literal} } } }`),
    literal => `query ($p: Int = ${literal}) ${filter('{ pin: { eq: $p } }')}`,
    literal => `query ($password: Int = ${literal}) { members(pagination: { page: $password }) { data { id } } }`,
  ]
  for (const name of Object.keys(attributes).filter(one => one !== 'name' && one !== 'parts'))
    places.push(literal => create(`{ ${name}: ${literal} }`))
  let refused = 0
  for (const place of places)
    for (const literal of literals) {
      const query = place(literal)
      const { status, body } = await ask(query)
      t.notMatch(body.replaceAll('$KNOWN', ''), /KNOWN|9876543210/, query)
      if (status === 400) refused++
    }
  t.ok(refused > 0.8 * places.length * literals.length, `${refused} were refused`)
  t.notMatch(lines.join(''), /KNOWN|9876543210/)
})

t.test('what is shown instead', async t => {
  const { ask } = await open(t)
  const found = (type: string, shown: string) => `Expected value of type "${type}", found ${shown}.`
  const cases: [string, string][] = [
    [create('{ pin: "KNOWN" }'), found('Int', '***')],
    [create('{ rank: KNOWN }'), found('Long', '***')],
    [create('{ grade: "KNOWN" }'), found('ENUM_MEMBER_GRADE', '***')],
    [create('{ name: { password: "KNOWN", url: 1 } }'), found('String', '{password: ***, url: 1}')],
    [create('[{ name: "a", pin: 1 }, KNOWN]'), found('MemberInput', '[{name: "a", pin: ***}, KNOWN]')],
    [filter('{ pin: { eq: "KNOWN" } }'), found('Int', '***')],
    [enter('input: { name: "a", when: "shown" }'), 'Odd cannot represent shown'],
    [enter('input: { name: "a", password: 1.5 }, plain: 2.5'), found('Int', '***')],
    [enter('input: { password: 1 }'), 'Field "EnterInput.name" of required type "String!" was not provided.'],
    [enter('input: { name: "a", passwort: "KNOWN" }'), 'Field "passwort" is not defined by type "EnterInput".'],
  ]
  for (const [query, message] of cases) {
    const { status, body } = await ask(query)
    t.equal(status, 400)
    const [first] = JSON.parse(body).errors
    if (message.includes('***')) t.match(first.locations, [{ line: 1 }], 'at its place')
    t.equal(first.message.replace(/ Did you mean .*/, ''), message)
    t.match(first, { extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }, query)
  }
  const { body } = await ask(enter('input: { name: "a", password: 1.5 }, plain: 2.5'))
  t.match(JSON.parse(body).errors[1], { message: 'Int cannot represent non-integer value: 2.5' })
})

t.test('an argument that does not fit when its variables are known', async t => {
  const { ask } = await open(t)
  const query = 'mutation ($n: String = "a") { b: enter(input: { name: $n, password: 98765 }) }'
  const { body } = await ask(query, { n: null })
  t.match(JSON.parse(body).errors, [{ message: 'Argument "input" has invalid value {name: $n, password: ***}.' }])
  const plain = await ask('mutation ($n: String = "a") { enter(input: { name: $n }, plain: 98765) }', { n: null })
  t.match(JSON.parse(plain.body).errors, [{ message: 'Argument "input" has invalid value {name: $n}.' }])
})

t.test('errors of syntax do not cite what follows the name of a secret', async t => {
  const { ask } = await open(t)
  const tokens = ['"KNOWN"', '"""KNOWN"""', 'one KNOWN', '98765KNOWN', '98765 98765']
  for (const name of ['password', 'pin', 'text', 'code'])
    for (const token of tokens) {
      const { status, body } = await ask(enter(`input: { ${name}: "x" ${token} }`))
      t.match({ status, errors: JSON.parse(body).errors }, { status: 400, errors: [{ message: /^Syntax Error: / }] })
      t.notMatch(body, /KNOWN|98765/, `${name} ${token}`)
    }
  t.notMatch((await ask(enter('input: { password: "a\\qKNOWN" }'))).body, /\\q/)
  t.match(JSON.parse((await ask(enter('input: { password: "x" "KNOWN" }'))).body).errors, [
    { message: 'Syntax Error: Expected Name, found String "***".', locations: [{ line: 1 }] },
  ])
  t.match(JSON.parse((await ask(enter('input: { name: "x" "shown" }'))).body).errors, [
    { message: 'Syntax Error: Expected Name, found String "shown".' },
  ])
})
