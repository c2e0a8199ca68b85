/**
 * The same requests have the same answers on every database: values at the limits of columns, operators on every type
 * of value, errors. Order and nulls depend on the database, so every list here is sorted by id.
 */

import { createServer } from '@plinth/server'
import { type Client, databases, freshDatabase } from '@plinth/test-tools/databases'
import t, { type Test } from 'tap'
import { type Answer, client } from './boot.ts'

const values: Record<string, readonly unknown[]> = {
  short: [
    'Alpha',
    'alpha',
    'ÄLPHA',
    'älpha',
    'Cafe',
    'Café',
    'a%b',
    'a_b',
    'axb',
    'a\\b',
    "it's",
    '"',
    ' x',
    'x ',
    '😀 emoji',
    '👩‍👩‍👧',
    '',
  ],
  long: ['line\nbreak', '漢字', 'x'.repeat(1000), '\u2028'],
  kind: ['alpha', 'beta'],
  day: ['1000-01-01', '1969-12-31', '2024-02-29', '9999-12-31'],
  clock: ['00:00', '07:30:00', '07:30:00.5', '07:30:00.001', '23:59:59.999'],
  moment: [
    '1969-12-31T23:59:59.999Z',
    '2024-02-29T12:00:00.123456Z',
    '2024-02-29T12:00:00+02:00',
    '9999-12-31T23:59:59.999Z',
  ],
  stamp: ['2024-02-29T12:00:00.001Z', 1709208000000],
  whole: [-2147483648, -1, 0, 7, 2147483647],
  big: ['-9223372036854775808', '-9007199254740993', '9007199254740993', '9223372036854775807', '0', 12],
  ratio: [0.1, -2.5, 1e-7, 1e21, 0.30000000000000004, 5e-324, 1.7976931348623157e308],
  amount: [0.01, 12.5, -99999999.99, 99999999.99, 100],
  flag: [true, false],
  payload: [
    { b: 1, a: [null, true, 'é', { '': 1.5 }] },
    [],
    {},
    'text',
    0,
    false,
    [1e21, 0.1],
    { deep: [[[['😀']]]] },
    '10',
  ],
}

const operators: Record<string, readonly string[]> = {
  short: [
    '[$eq]=alpha',
    '[$eq]=Alpha ',
    '[$ne]=Alpha',
    '[$eqi]=ALPHA',
    '[$eqi]=älpha',
    '[$nei]=alpha',
    '[$in][0]=cafe&filters[short][$in][1]=Café',
    '[$notIn][0]=Cafe',
    '[$contains]=LPH',
    '[$contains]=%25',
    '[$contains]=_',
    '[$contains]=\\',
    '[$containsi]=LPH',
    '[$containsi]=äl',
    '[$notContains]=a',
    '[$notContainsi]=A',
    '[$startsWith]=a',
    '[$startsWithi]=A',
    '[$endsWith]=b',
    '[$endsWithi]=É',
    '[$contains]=😀',
    '[$eq]=😀 emoji',
    '[$eq]=',
    "[$eq]=it's",
    '[$eq]=x',
    '[$null]=true',
  ],
  long: ['[$contains]=字', '[$contains]=%0A', '[$startsWith]=xxx'],
  day: [
    '=2024-02-29',
    '[$gt]=1969-12-31',
    '[$between][0]=1000-01-01&filters[day][$between][1]=2024-02-29',
    '[$contains]=-12-',
    '[$ne]=2024-02-29',
  ],
  clock: [
    '=07:30',
    '[$gt]=07:30:00',
    '[$lte]=07:30:00.001',
    '[$in][0]=07:30:00.001&filters[clock][$in][1]=00:00:00',
    '[$contains]=:30',
  ],
  moment: [
    '=2024-02-29T12:00:00.123Z',
    '[$gte]=2024-02-29T10:00:00Z',
    '[$lt]=1970-01-01',
    '[$ne]=2024-02-29T10:00:00.000Z',
  ],
  stamp: ['=2024-02-29T12:00:00.001Z', '[$gt]=2024-02-29T12:00:00.000Z'],
  whole: [
    '=7',
    '=7.0',
    '=7.5',
    '[$gt]=-1',
    '[$gt]=2147483646.5',
    '[$lt]=99999999999',
    '[$in][0]=0&filters[whole][$in][1]=7',
    '[$notIn][0]=7',
    '[$contains]=4836',
    '[$between][0]=-1.5&filters[whole][$between][1]=7.5',
    '=abc',
  ],
  big: [
    '=9007199254740993',
    '=9007199254740992',
    '[$gt]=9007199254740992',
    '[$in][0]=-9223372036854775808',
    '[$contains]=0993',
    '=99999999999999999999',
    '=12.5',
    '=abc',
  ],
  ratio: [
    '=0.1',
    '[$gt]=0',
    '[$lt]=-2.4',
    '=0.30000000000000004',
    '[$gte]=1e21',
    '[$in][0]=0.1&filters[ratio][$in][1]=5',
  ],
  amount: ['=12.5', '=12.50', '[$gt]=12.499', '[$lte]=-99999999.99', '[$in][0]=0.01', '[$contains]=12.5', '=0.009'],
  flag: ['=true', '=0', '[$ne]=true', '[$null]=true'],
  kind: ['=beta', '[$ne]=beta', '[$contains]=ET'],
  id: ['=3', '[$gt]=3.5', '[$in][0]=1&filters[id][$in][1]=abc', '=99999999999999999999', '[$contains]=1'],
}

const refusals: readonly Record<string, unknown>[] = [
  { short: 5 },
  { kind: 'delta' },
  { day: '2024-02-30' },
  { clock: '25:00' },
  { moment: 'soon' },
  { whole: 1.5 },
  { ratio: 'x' },
  { mail: 'no' },
  { flag: 'perhaps' },
]

/** All answers on one database, by request, without the times of writes. */
async function answers(t: Test, on: Client): Promise<Map<string, unknown>> {
  const database = await freshDatabase(on)
  const dir = `${import.meta.dirname}/app`
  const plugins = { rest: {}, 'draft-publish': {}, passwords: {} }
  const app = await createServer({ dir, database: database.config, plugins, logger: false })
  t.teardown(async () => {
    await app.close()
    await database.drop()
  })
  const api = client(app)
  const said = new Map<string, unknown>()
  const keep = (asked: string, { status, text }: Answer) => {
    const body: unknown = JSON.parse(text, (key, value) => (/^(created|updated)At$/.test(key) ? undefined : value))
    said.set(asked, { status, body })
  }
  for (const [name, list] of Object.entries(values))
    for (const value of list) {
      const data = { [name]: value }
      keep(`create ${JSON.stringify(data).slice(0, 60)}`, await api.post('/api/specimens', { data }))
    }
  for (const data of refusals) keep(`refuse ${JSON.stringify(data)}`, await api.post('/api/specimens', { data }))
  for (const [name, list] of Object.entries(operators))
    for (const operator of list) {
      const query = `filters[${name}]${operator}&sort=id&pagination[pageSize]=100`
      keep(query, await api.get(encodeURI(`/api/specimens?${query}`).replaceAll('%25', '%')))
    }
  for (const word of ['alpha', '%', '_', '12.5', '7', 'é'])
    keep(`_q=${word}`, await api.get(`/api/specimens?_q=${encodeURIComponent(word)}&sort=id&pagination[pageSize]=100`))
  return said
}

const [first, ...others] = await databases()
t.test(
  `every database gives the answers of ${first}`,
  { skip: others.length === 0 && 'one database alone' },
  async t => {
    const expected = await answers(t, first!)
    for (const on of others) {
      const found = await answers(t, on)
      // TAP treats U+2028 as the end of a line.
      for (const [asked, answer] of expected)
        t.same(found.get(asked), answer, `${on}: ${asked.replaceAll('\u2028', '\\u2028')}`)
    }
  },
)
