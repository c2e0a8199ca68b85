// Files by GraphQL: the multipart request specification, the mutations of files, and the generated ones (B-9.9, B-9.79).

import graphql from '@plinth/graphql'
import sharp from 'sharp'
import t, { type Test } from 'tap'
import { type Part, picture, start as startRest } from './fixtures/boot.ts'

/** As Apollo's clients send it. */
const preflight = { 'apollo-require-preflight': 'true' }

async function start(t: Test, options: Parameters<typeof startRest>[1] = {}) {
  const started = await startRest(t, { ...options, plugins: { graphql: { plugin: graphql } } })
  const operations = (query: string, variables: unknown): Part => ({
    name: 'operations',
    value: JSON.stringify({ query, variables }),
  })
  return {
    ...started,
    operations,
    run: (query: string, headers: Record<string, string> = {}) => started.post('/graphql', { query }, headers),
    parts: (parts: readonly Part[], headers: Record<string, string> = preflight) =>
      started.form('/graphql', parts, headers),
    send: (
      query: string,
      variables: unknown,
      map: object,
      files: readonly Part[],
      headers = preflight as Record<string, string>,
    ) =>
      started.form(
        '/graphql',
        [operations(query, variables), { name: 'map', value: JSON.stringify(map) }, ...files],
        headers,
      ),
  }
}

const upload = 'mutation ($file: Upload!) { upload(file: $file) { data { id attributes { name mime } } } }'
const text = (name: string, filename = 'a.txt'): Part => ({ name, filename, content: 'text' })
const bad = (message: string) => ({
  status: 400,
  body: { data: null, error: { status: 400, name: 'BadRequestError', message: new RegExp(message) } },
})

t.test('security.md row 79: GraphQL checks content as REST does', async t => {
  const { send } = await start(t)
  const file = { name: '0', filename: 'a.png', content: '<script>alert(1)</script>', mime: 'image/png' }
  const { body } = await send(upload, { file: null }, { 0: ['variables.file'] }, [file])
  t.match(body.data.upload.data.attributes, { name: 'a.png', mime: 'text/html' })
})

t.test('files are uploaded and linked', async t => {
  const { send, run, post, stored } = await start(t)
  const { id } = (await post('/api/pages', { data: { title: 'A' } })).body.data
  const many = `mutation ($files: [Upload]!) {
    multipleUpload(files: $files, ref: "api::page.page", refId: "${id}", field: "gallery") { data { attributes { name } } }
  }`
  const map = { a: ['variables.files.0'], b: ['variables.files.1'] }
  const both = await send(many, { files: [null, null] }, map, [text('a', 'one.txt'), text('b', 'two.txt')])
  t.same(
    both.body.data.multipleUpload.map((one: { data: { attributes: { name: string } } }) => one.data.attributes.name),
    ['one.txt', 'two.txt'],
  )
  const read = await run(`{ page(id: ${id}) { data { attributes { gallery { data { attributes { name } } } } } } }`)
  t.equal(read.body.data.page.data.attributes.gallery.data.length, 2)
  const selected = await send(
    upload.replace('mime', 'related { __typename }'),
    { file: null },
    { 0: ['variables.file'] },
    [text('0')],
  )
  t.match(selected.body.data.upload.data.attributes.related, [])
  t.equal((await stored()).length, 3)
})

t.test('security.md row 84: linking by GraphQL is an update of the entry', async t => {
  const { send, post, stored } = await start(t)
  const { id } = (await post('/api/pages', { data: { title: 'A' } })).body.data
  const query = `mutation ($file: Upload!) {
    upload(file: $file, ref: "api::page.page", refId: ${id}, field: "gallery") { data { id } }
  }`
  const rights = { ...preflight, rights: 'plugin::upload.content-api.upload' }
  const { body } = await send(query, { file: null }, { 0: ['variables.file'] }, [text('0')], rights)
  t.match(body, { data: null, errors: [{ extensions: { code: 'FORBIDDEN' } }] })
  t.same(await stored(), [])
  const none = await send(upload, { file: null }, { 0: ['variables.file'] }, [text('0')], {
    ...preflight,
    rights: 'none',
  })
  t.match(none.body, { data: null, errors: [{ extensions: { code: 'FORBIDDEN' } }] })
  t.same(await stored(), [])
})

t.test('security.md row 83: the files of callers who may not upload are not kept', async t => {
  const { send, stored } = await start(t, { config: { sizeLimit: 10 } })
  const large = { name: '0', filename: 'a.txt', content: 'x'.repeat(100_000) }
  const one = (rights: string) =>
    send(upload, { file: null }, { 0: ['variables.file'] }, [large], { ...preflight, rights })
  t.equal((await one('plugin::upload.content-api.upload')).status, 413, 'it is measured when it is kept')
  const refused = await one('none')
  t.equal(refused.status, 200)
  t.match(refused.body, { data: null, errors: [{ extensions: { code: 'FORBIDDEN' } }] })
  t.same(await stored(), [])
})

t.test('security.md row 68: a form needs a header that other origins cannot send unasked; JSON does not', async t => {
  const { send, run, stored } = await start(t)
  const one = (headers: Record<string, string>) =>
    send(upload, { file: null }, { 0: ['variables.file'] }, [text('0')], headers)
  t.match(await one({}), bad('needs one of the headers'))
  t.same(await stored(), [])
  t.equal((await one({ 'apollo-require-preflight': 'true' })).status, 200)
  t.equal((await one({ 'x-apollo-operation-name': 'A' })).status, 200)
  t.equal((await run('{ uploadFiles { data { id } } }')).status, 200)
})

t.test('what does not follow the specification is refused, and nothing of it is left', async t => {
  const { parts, operations, stored } = await start(t)
  const map = (value: unknown): Part => ({ name: 'map', value: JSON.stringify(value) })
  const sent = operations(upload, { file: null })
  const right = { 0: ['variables.file'] }
  const cases: (readonly [string, readonly Part[]])[] = [
    ['‘map’ should follow ‘operations’', [map({})]],
    ['‘map’ should follow ‘operations’', [map(right), sent, text('0')]],
    ['files should follow ‘map’', [sent, text('0'), map(right)]],
    ['Missing multipart field ‘operations’', [{ name: 'x', value: '' }]],
    ['Missing multipart field ‘map’', [sent]],
    ['Invalid JSON in the ‘operations’ multipart field', [{ name: 'operations', value: '{' }]],
    ['Invalid JSON in the ‘map’ multipart field', [sent, { name: 'map', value: '{' }]],
    ['Invalid JSON in the ‘operations’ multipart field', [{ name: 'operations', value: '1' }]],
    ['Invalid type for the ‘operations’ multipart field', [{ name: 'operations', value: '' }]],
    ['Invalid type for the ‘map’ multipart field', [sent, map([])]],
    ['Invalid type for the ‘map’ multipart field entry key ‘0’ array', [sent, map({ 0: 'x' })]],
    ['array index ‘0’ value', [sent, map({ 0: [1] })]],
    ['Invalid object path .* value ‘variables.nope’', [sent, map({ 0: ['variables.nope'] })]],
    ['Invalid object path .* value ‘query’', [sent, map({ 0: ['query'] })]],
    ['Invalid object path', [sent, map({ 0: ['variables'] })]],
    ['Invalid object path', [operations(upload, { file: 'a' }), map(right)]],
    [
      'Invalid object path',
      [operations(upload, { file: null }), map({ 0: ['variables.file'], 1: ['variables.file.0'] })],
    ],
    ...[
      ...[
        'variables.file.__proto__',
        '__proto__.variables.file',
        'variables.__proto__.0',
        'variables.file.prototype.x',
      ],
      ...['variables.file..0', 'variables.file.', '.variables.file', '0.variables.file', 'extensions.file', ''],
      ...[`variables.file${'.a'.repeat(64)}`, 'variables.files', 'Variables.file'],
    ].flatMap(path =>
      [{ file: null }, {}, undefined].map(
        variables => ['Invalid object path', [operations(upload, variables), map({ 0: [path] })]] as const,
      ),
    ),
    ...['length', '-1', '01', '1000', '4294967295', 'x', '__proto__', '0.x.y'].map(
      key =>
        [
          'Invalid object path',
          [operations(upload, { file: [null, 1] }), map({ 0: [`variables.file.${key}`] })],
        ] as const,
    ),
    ['Invalid object path', [sent, map({ 0: ['variables.__proto__.x'] })]],
    ['Invalid object path', [sent, map({ 0: ['variables.constructor'] })]],
    ['The file ‘1’ is not in the ‘map’', [sent, map(right), text('0'), text('1')]],
    ['File missing in the request', [sent, map(right)]],
  ]
  for (const [message, body] of cases) {
    t.match(await parts(body), bad(message), message)
    t.same(await stored(), [], message)
  }
})

t.test('a file is stored in one place, and nothing shows where it is', async t => {
  const { send, parts, stored } = await start(t)
  const many = 'mutation ($files: [Upload]!) { multipleUpload(files: $files) { data { id } } }'
  const refused = /The file a\.txt stands in more than one place; send it once for each/
  const twice = await send(many, { files: [null, null] }, { 0: ['variables.files.0', 'variables.files.1'] }, [
    text('0'),
  ])
  t.match(twice.body.errors[0].message, refused)
  t.same(await stored(), [], 'nothing is stored of it')
  const operation = { query: upload, variables: { file: null } }
  const batch = await parts([
    { name: 'operations', value: JSON.stringify([operation, operation]) },
    { name: 'map', value: '{ "0": ["0.variables.file", "1.variables.file"] }' },
    text('0'),
  ])
  t.match(
    batch.body.map((one: { errors?: readonly { message: string }[] }) => one.errors?.[0]?.message ?? null).sort(),
    [refused, null],
  )
  t.equal((await stored()).length, 1)

  for (const [type, filters] of [
    ['PageFiltersInput', { title: { eq: null } }],
    ['PageFiltersInput', { title: null }],
    ['PageFiltersInput', null],
  ] as const) {
    const place = filters === null ? 'f' : filters.title === null ? 'f.title' : 'f.title.eq'
    const query = `query ($f: ${type}) { pages(filters: $f) { data { id } } }`
    const { status, body } = await send(query, { f: filters }, { 0: [`variables.${place}`] }, [text('0')])
    t.match([status, JSON.stringify(body)], [400, /a file/], place)
    t.notMatch(JSON.stringify(body), /unfinished|spool|"path":"\/|uploads/, place)
  }
})

t.test('the generated mutations change what is said, and nothing else', async t => {
  const { run, uploaded, stored } = await start(t)
  const { id } = await uploaded('a.txt', 'text')
  const made = await run(
    'mutation { createUploadFile(data: { name: "x", hash: "x", mime: "a/b", size: 1, url: "/x", provider: "local", folderPath: "/" }) { data { id } } }',
  )
  t.match(made.body.errors, [{ message: 'Files are made by uploads' }])
  const moved = await run(`mutation { updateUploadFile(id: ${id}, data: { url: "http://other/" }) { data { id } } }`)
  t.match(moved.body.errors, [{ message: 'url of a file cannot be changed' }])
  const said = await run(
    `mutation { updateUploadFile(id: ${id}, data: { caption: "c" }) { data { attributes { caption } } } }`,
  )
  t.equal(said.body.data.updateUploadFile.data.attributes.caption, 'c')
  await run(`mutation { deleteUploadFile(id: ${id}) { data { id } } }`)
  t.same(await stored(), [])
})

t.test('an upload without a file, and a picture in an answer', async t => {
  const { run, uploaded } = await start(t)
  t.match((await run('mutation { multipleUpload(files: []) { data { id } } }')).body.errors, [
    { message: 'Files are empty' },
  ])
  t.match((await run('mutation { upload(file: "x") { data { id } } }')).body.errors, [
    { message: /Upload literal unsupported/ },
  ])
  const { id } = await uploaded('a.png', await picture(300, 300))
  const { body } = await run(`{ uploadFile(id: ${id}) { data { attributes { width formats size } } } }`)
  t.match(body.data.uploadFile.data.attributes, { width: 300, formats: { thumbnail: { width: 156 } } })
})

t.test('photographs are upright', async t => {
  const { send } = await start(t)
  const content = await sharp(await picture(600, 400, 'jpeg'))
    .withMetadata({ orientation: 6 })
    .toBuffer()
  const asked = upload.replace('mime', 'width height formats')
  const file = { name: '0', filename: 'a.jpg', content }
  const { body } = await send(asked, { file: null }, { 0: ['variables.file'] }, [file])
  const small = { width: 333, height: 500 }
  t.match(body.data.upload.data.attributes, { width: 400, height: 600, formats: { small } })
})

t.test('a form need not have nulls where files go', async t => {
  const { send, stored } = await start(t)
  for (const variables of [undefined, null, {}, { file: null }])
    t.match(
      (await send(upload, variables, { 0: ['variables.file'] }, [text('0')])).body,
      { data: { upload: { data: { attributes: { name: 'a.txt' } } } } },
      JSON.stringify(variables),
    )
  t.equal((await stored()).length, 4)
  const many = 'mutation ($files: [Upload]!) { multipleUpload(files: $files) { data { attributes { name } } } }'
  const files = [text('a', 'one.txt'), text('b', 'two.txt')]
  const names = (one: { data: { attributes: { name: string } } }) => one.data.attributes.name
  for (const variables of [undefined, {}, { files: [] }, { files: [null] }, { files: [null, null] }]) {
    const map = { a: ['variables.files.0'], b: ['variables.files.1'] }
    const { body } = await send(many, variables, map, files)
    t.same(body.data.multipleUpload.map(names), ['one.txt', 'two.txt'], JSON.stringify(variables))
  }
  const turned = await send(many, {}, { a: ['variables.files.1'], b: ['variables.files.0'] }, files)
  t.same(turned.body.data.multipleUpload.map(names), ['two.txt', 'one.txt'], 'the later item comes first')
  const hole = await send(many, {}, { a: ['variables.files.1'] }, files.slice(0, 1))
  t.same(hole.body.data.multipleUpload.map(names), ['one.txt'], 'an item without a file is none')
  const batch = [{ query: upload }, { query: upload, variables: {} }]
  const map = { a: ['0.variables.file'], b: ['1.variables.file'] }
  const parts = [
    { name: 'operations', value: JSON.stringify(batch) },
    { name: 'map', value: JSON.stringify(map) },
  ]
  const both = await start(t).then(({ parts: sendParts }) => sendParts([...parts, ...files]))
  t.same(
    both.body.map((one: { data: { upload: never } }) => names(one.data.upload)),
    ['one.txt', 'two.txt'],
  )
  t.notOk(Object.hasOwn(Object.prototype, 'x') || 'x' in {}, 'no prototype has changed')
})
