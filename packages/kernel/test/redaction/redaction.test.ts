// What is left out of texts and records, and what is not.

import t from 'tap'
import { createKernel, definePlugin, redactLine, redactText } from '../../src/index.ts'
import { redactRecord } from '../../src/redaction/record.ts'

/** Stands for any secret. */
const mark = 'S3cr-Mark'

t.test('secrets in texts', async t => {
  const jwt = `eyJhbGciOiJIUzI1NiJ9.eyJ${mark}.${mark}`
  const texts = [
    `connect to postgres://app:${mark}@db:5432/x failed`,
    `redis://:${mark}@cache`,
    `https://${mark}@git.example.com/x`,
    `the token ${jwt} has expired`,
    `Authorization: Bearer ${mark}`,
    `authorization: ${mark}`,
    `Cookie: a=1; session=${mark}`,
    `said Bearer ${mark}, and`,
    `Basic ${mark}==`,
    `BASIC ${mark}==`,
    `GET /api/x?a=1&access_token=${mark}&b=2`,
    `/api/auth/email-confirmation?confirmation=${mark}`,
    `/api/connect/x/callback?state=1&code=${mark}`,
    `/api/users?filters%5BresetPasswordToken%5D%5B%24startsWith%5D=${mark}`,
    `/api/users?filters[%70assword]=${mark}`,
    `/login?to=${encodeURIComponent(`https://x/?token=${mark}`)}`,
    `/login?to=${encodeURIComponent(encodeURIComponent(`https://x/?token=${mark}`))}`,
    `/login?to=https://x/?token=${mark}`,
    `/graphql?query=${encodeURIComponent(`mutation { login(input: { password: "${mark}" }) { jwt } }`)}`,
    `/graphql?variables=${encodeURIComponent(JSON.stringify({ input: { password: mark } }))}`,
    `https://bucket/x?X-Amz-Signature=${mark}`,
    ...['confirmation', 'code', 'oauth_verifier', 'password', 'access_token'].flatMap(name => [
      `/x?${name}[x]=${mark}`,
      `/x?${name}[]=1&${name}[]=${mark}&${name}[]=2`,
      `/x?a=1&${name}[x][y][0][$in]=${mark}`,
      `/x?a[${name}]=${mark}`,
      `/x?filters[$or][0][${name}][$eq]=${mark}#b`,
      `/x?${name}.x=${mark}`,
      `/x?${name.toUpperCase()}[x]=${mark}`,
      `/x?${encodeURIComponent(`${name}[x]`)}=${mark}`,
      `/x?${encodeURIComponent(encodeURIComponent(`${name}[x]`))}=${mark}`,
      `/x?%${name.charCodeAt(0).toString(16)}${name.slice(1)}[x]=${mark}`,
      ...["a'b", 'a"b', 'a:b', 'a(b', 'é', 'a/b', '*', 'a,b', '\\', '{}'].map(inner => `/x?${name}[${inner}]=${mark}`),
      ...["a'", 'a"', '"', "'"].map(before => `/x?${name}=${before}${mark}`),
      `/x?a=1;${name}[x]=${mark}`,
      `/x?a=1?${name}=${mark}`,
      `https://front.example/#${name}[x]=${mark}`,
      `https://front.example/?next=${encodeURIComponent(`${name}[x]=${mark}`)}`,
      `https://front.example/?next=${encodeURIComponent(encodeURIComponent(`/y?${name}[x]=${mark}`))}`,
      `Invalid parameter in "/x?${name}[x]=${mark}"`,
      `/x?${name}=a#${mark}`,
      `/x?a=\u00a0&b~[${name}]=${mark}`,
      `/x?${name}=a\u00a0${mark}`,
      `/x?a=${encodeURIComponent(JSON.stringify({ [name]: { $or: [[{ x: { y: mark } }]] } }))}`,
    ]),
    `{"confirmation":{"x":"${mark}"}}`,
    `{"confirmation":["1",["${mark}"]]}`,
    `mutation { emailConfirmation(confirmation: "${mark}") { jwt } }`,
    JSON.stringify({ code: { $in: [mark] }, password: 'x' }),
    `host=db password='a ${mark}' dbname=x`,
    `DATABASE_PASSWORD=${mark} node x`,
    `{"password":"${mark}"}`,
    `{"password":"a\\"${mark}"}`,
    `{ clientSecret: '${mark}' }`,
    JSON.stringify({ body: JSON.stringify({ newPassword: `a"${mark}`, token: mark }) }),
    JSON.stringify(JSON.stringify(JSON.stringify({ password: `a"${mark}` }))),
    `{ users(filters: { password: { eq: "${mark}" } }) { data { id } } }`,
    `{ users(filters: { password: { or: [{ eq: "${mark}" }] } }) { data { id } } }`,
    JSON.stringify({ query: `{ users(filters: { resetToken: { in: ["${mark}"] } }) { id } }` }),
    JSON.stringify({ code: mark, password: 'x' }),
    JSON.stringify({ password: { a: { b: { c: [[[mark]]] } } } }),
    JSON.stringify({ password: { a: '}', b: mark } }),
    JSON.stringify({ password: { a: '"}', b: mark } }),
    JSON.stringify({ body: JSON.stringify({ password: [[{ a: [{ b: '}"', c: mark }] }]] }) }),
    `{ password: { a: '"}', b: \`]\`, c: "${mark}" } }`,
    `{ password: { a: [{ b: "${mark}", … (cut)`,
    `the token: "x" and { apiKey: "${mark}" }`,
    `Failing row contains (1, a@x, ${mark}\n, null).`,
    `Key (reset_token)=(${mark}) already exists.`,
    `Duplicate entry '${mark}' for key 'users.token'`,
    `insert into "users" ("a") values ('${mark}''${mark}') - UNIQUE constraint failed`,
    `Error: update users set a = '${mark}'`,
  ]
  for (const text of texts) {
    const left = redactText(text)
    t.notMatch(left, mark, text)
    t.match(left, '[redacted]', text)
  }
  t.equal(redactText('{"token":[[["a"]]],"b":[1]}'), '{"token":"[redacted]","b":[1]}', 'what follows stays')
  t.equal(redactText('Basic dXNlcjpwYXNz'), 'Basic [redacted]', 'user:pass, whose code has only letters')
  t.equal(redactText(`x?a=1&token=${mark}&b=2#c`), 'x?a=1&token=[redacted]&b=2#c', 'the rest stays')
})

t.test('what is no secret stays as it is', async t => {
  const texts = [
    'config/plugins: users-permissions.config.jwtSecret: must have at least 32 characters',
    'JWT_SECRET is missing; set it to a random value',
    'Basic Authentication is required',
    "Error: update of the author's page",
    'Basic authentication is not supported; a bearer token is',
    'http://127.0.0.1:1337/api/articles?filters[title][$eq]=a&sort=title&code',
    'http://127.0.0.1:1337/api/articles?mail=a@b.example',
    'passwort is not known, did you mean "password"?',
    '{"title":"Keys and more","author":"Ann","code":"E1"}',
    "the author's name: 'Ann'",
    'error code=ECONNREFUSED',
    '/api/countries?sort=code&fields[0]=code&filters[postcode]=12345&encode[x]=1',
    'the column "code": "E1" and the confirmation',
  ]
  for (const text of texts) t.equal(redactText(text), text)
})

t.test('records', async t => {
  t.same(
    redactRecord({
      level: 30,
      req: {
        method: 'GET',
        url: `/x?token=${mark}`,
        headers: { authorization: mark, accept: '*/*', 'set-cookie': [mark] },
      },
      err: { code: 'E1', message: `{"password":"${mark}"}`, sql: `select '${mark}'`, config: { password: mark } },
      body: { code: mark, confirmation: mark, identifier: 'ann', deep: [{ newPassword: 12345, password: null }] },
      rawHeaders: ['Host', 'x', 'Authorization', mark],
      command: { name: 'auth', args: [mark] },
      search: `confirmation[x]=${mark}`,
      query: { confirmation: { x: [mark] }, 'code[x]': mark, a: [{ code: [mark] }], text: `code=${mark}` },
      payload: `{"code":"${mark}"}`,
      list: ['x-auth-token', mark],
      '0': 'cookie',
      '1': mark,
      tokenExpired: true,
      msg: 'said',
    }),
    {
      level: 30,
      req: {
        method: 'GET',
        url: '/x?token=[redacted]',
        headers: { authorization: '[redacted]', accept: '*/*', 'set-cookie': '[redacted]' },
      },
      err: {
        code: 'E1',
        message: '{"password":"[redacted]"}',
        sql: "select '[redacted]'",
        config: { password: '[redacted]' },
      },
      body: {
        code: '[redacted]',
        confirmation: '[redacted]',
        identifier: 'ann',
        deep: [{ newPassword: '[redacted]', password: null }],
      },
      rawHeaders: ['Host', 'x', 'Authorization', '[redacted]'],
      command: { name: 'auth', args: '[redacted]' },
      search: 'confirmation[x]=[redacted]',
      query: {
        confirmation: '[redacted]',
        'code[x]': '[redacted]',
        a: [{ code: '[redacted]' }],
        text: 'code=[redacted]',
      },
      payload: '{"code":"[redacted]"}',
      list: ['x-auth-token', '[redacted]'],
      '0': 'cookie',
      '1': '[redacted]',
      tokenExpired: true,
      msg: 'said',
    },
  )
  let deep: unknown = mark
  for (let i = 0; i < 1000; i++) deep = [deep]
  t.notMatch(JSON.stringify(redactRecord(deep)), mark, 'what is too deep to be searched is left out')
})

t.test('names that a plugin makes secret', async t => {
  const line = JSON.stringify({
    msg: 'seen',
    url: `/x?pin=${mark}`,
    body: { pin: mark, 'old-pin': mark, pinned: true },
  })
  t.match(redactLine(line), mark, 'not before a plugin says so')
  const plugin = definePlugin({ name: 'pins', secretNames: ['pin'], register() {} })
  const kernel = await createKernel({
    database: { client: 'sqlite', connection: { filename: ':memory:' } },
    plugins: { pins: { plugin } },
    migrate: 'none',
  })
  await kernel.close()
  t.same(JSON.parse(redactLine(line)), {
    msg: 'seen',
    url: '/x?pin=[redacted]',
    body: { pin: '[redacted]', 'old-pin': '[redacted]', pinned: true },
  })
  t.equal(redactText(`{"pin":"${mark}","pinned":"yes"}`), '{"pin":"[redacted]","pinned":"yes"}')
  t.equal(redactLine('{"msg":"nothing"}\n'), '{"msg":"nothing"}\n', 'a line without any is not parsed')
  t.equal(redactLine(`no JSON, pin=${mark}`), 'no JSON, pin=[redacted]')
  t.equal(redactLine(`Failing row contains (${mark}).\n`.padStart(150_000)), `${' '.repeat(100_000)}… (cut)\n`)
  for (const text of [`of the file:\npin=${mark}`, `of the file:\tpass=${mark}`])
    t.notMatch(redactLine(`${JSON.stringify({ msg: text })}\n`), mark, 'behind an escape of JSON')
  t.throws(
    () => definePlugin({ name: 'x', secretNames: ['a b'], register() {} }),
    /secretNames must consist of .* "a b"/,
  )
})

t.test('hostile texts take linear time', async t => {
  const parts = [
    ...[
      'a.',
      'a',
      'token',
      'token-',
      'password:',
      'password:\\"',
      'password="',
      'password:{',
      'password:{a',
      'password:[',
      'a=',
      '%25',
      '://',
      'eyJ-',
      'eyJa.',
    ],
    ...[
      'Bearer ',
      'cookie:',
      'Failing row contains (',
      "Duplicate entry '",
      'Key (',
      "select '",
      ' ',
      '\\',
      '"',
      '?a=%',
      '&a[',
      ';a=%25',
      '&confirmation[',
      'confirmation:[[',
    ],
  ]
  const repeated = parts.map(part => [part, part.repeat(Math.ceil(100_000 / part.length))] as const)
  const unclosed = `select '${"\\'".repeat(49_990)}`
  const addresses = repeated.map(([part, text]) => [`/?${part}`, `/?${text}`] as const)
  for (const [part, text] of [
    ...repeated,
    ...addresses,
    ['escaped quotes', unclosed],
    ['cut escape', `${unclosed}\\`],
    ['many escapes', `password:{${'\\'.repeat(99_000)}`],
    ['escapes in a list', `password:["${'\\"'.repeat(49_000)}`],
    ['one list after another', 'password:[]'.repeat(9000)],
  ] as const) {
    const { user } = process.cpuUsage()
    redactText(text)
    const took = process.cpuUsage({ user, system: 0 }).user / 1000
    t.ok(took < 500, `${JSON.stringify(part)}: ${took} ms`)
  }
  t.equal(redactText('x'.repeat(200_000)).length, 100_000 + '… (cut)'.length)
})
