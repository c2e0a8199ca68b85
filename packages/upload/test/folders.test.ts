// Folders of the media library: their tree in v4's tables, files in them, and what changes of the tree refuse.

import graphql from '@plinth/graphql'
import { compare, perRequest } from '@plinth/kernel'
import t, { type Test } from 'tap'
import { type Answer, start } from './fixtures/boot.ts'

const action = (name: string) => `plugin::upload.folder.${name}`
const all = ['find', 'findOne', 'create', 'update', 'delete'].map(action)
const ofFiles = ['find', 'findOne', 'upload', 'destroy'].map(name => `plugin::upload.content-api.${name}`)

async function begin(t: Test, options: Parameters<typeof start>[1] = {}) {
  const server = await start(t, options)
  const { post, put, get, form, kernel } = server
  return {
    ...server,
    make: async (name: string, parent: number | null = null): Promise<number> => {
      const { status, body } = await post('/api/upload/folders', { name, parent })
      if (status !== 200) throw new Error(`${name}: ${JSON.stringify(body)}`)
      return body.data.id
    },
    move: (id: number, parent: number | null) => put(`/api/upload/folders/${id}`, { parent }),
    uploadTo: async (folder: number | null, name = 'a.txt'): Promise<number> => {
      const { status, body } = await form('/api/upload', [
        { name: 'files', filename: name, content: 'hello', mime: 'text/plain' },
        { name: 'fileInfo', value: JSON.stringify({ folder }) },
      ])
      if (status !== 200) throw new Error(JSON.stringify(body))
      return body[0].id
    },
    /** The names of the files that are listed. */
    listed: async (folder: number | 'root') =>
      (await get(`/api/upload/files?folder=${folder}&sort=name&fields=name`)).body.map(
        (one: { name: string }) => one.name,
      ),
    /** The paths of all folders by name, and of all files. */
    paths: async () => {
      const folders = await kernel.knex('upload_folders').select('name', 'path', 'path_id')
      const files = await kernel.knex('files').select('name', 'folder_path')
      return {
        folders: Object.fromEntries(folders.map(one => [one.name, one.path])),
        files: Object.fromEntries(files.map(one => [one.name, one.folder_path])),
      }
    },
  }
}

function refused(t: Test, { status, body }: Answer, expected: number, message: string): void {
  t.match({ status, message: body.error.message }, { status: expected, message })
}

t.test('folders are made, listed, renamed and moved, with the paths of v4', async t => {
  const { make, move, get, put, paths, uploadTo, kernel } = await begin(t)
  const [a, b] = [await make('A'), await make('B')]
  const inner = await make('Inner', a)
  const deep = await make('Deep', inner)
  await uploadTo(deep, 'deep.txt')
  await uploadTo(inner, 'inner.txt')
  t.same(await paths(), {
    folders: { A: '/1', B: '/2', Inner: '/1/3', Deep: '/1/3/4' },
    files: { 'deep.txt': '/1/3/4', 'inner.txt': '/1/3' },
  })
  t.match((await get('/api/upload/folders?sort=id')).body, {
    data: [
      { id: a, name: 'A', pathId: 1, path: '/1', parent: null, children: { count: 1 }, files: { count: 0 } },
      { id: b, name: 'B' },
      { id: inner, parent: { id: a, name: 'A' }, children: { count: 1 }, files: { count: 1 } },
      { id: deep },
    ],
  })
  t.same((await get(`/api/upload/folders?filters[parent][id]=${a}&fields=name&populate=`)).body.data, [
    { id: inner, name: 'Inner' },
  ])
  t.match((await get(`/api/upload/folders/${inner}`)).body, { data: { name: 'Inner', path: '/1/3' } })
  refused(t, await get('/api/upload/folders/99'), 404, 'folder not found')

  t.match((await move(inner, b)).body, { data: { path: '/2/3', parent: { id: b } } })
  t.same(await paths(), {
    folders: { A: '/1', B: '/2', Inner: '/2/3', Deep: '/2/3/4' },
    files: { 'deep.txt': '/2/3/4', 'inner.txt': '/2/3' },
  })
  t.match((await put(`/api/upload/folders/${inner}`, { name: 'Renamed', parent: null })).body.data, {
    name: 'Renamed',
    path: '/3',
  })
  t.same((await paths()).files, { 'deep.txt': '/3/4', 'inner.txt': '/3' })
  const links = await kernel.knex('upload_folders_parent_links').select('folder_id', 'inv_folder_id')
  t.same(
    links.map(one => ({ ...one })),
    [{ folder_id: deep, inv_folder_id: inner }],
    'in the table of v4',
  )
  t.equal((await kernel.knex('files_folder_links').select('folder_id')).length, 2)
})

t.test('the tree stays a tree of different names', async t => {
  const { make, move, post, put, paths, kernel } = await begin(t)
  const [a, b] = [await make('A'), await make('B')]
  const inner = await make('Inner', a)
  const before = await paths()
  const create = (body: object) => post('/api/upload/folders', body)
  const exists = 'A folder with this name already exists'
  refused(t, await create({ name: 'A' }), 400, exists)
  refused(t, await create({ name: 'Inner', parent: a }), 400, exists)
  refused(t, await put(`/api/upload/folders/${b}`, { name: 'A' }), 400, exists)
  refused(t, await create({ name: 'x/y' }), 400, 'name cannot contain slashes')
  refused(t, await create({ name: ' x' }), 400, 'name cannot start or end with a whitespace')
  refused(t, await create({ name: '' }), 400, 'name must be at least 1 characters')
  refused(t, await create({}), 400, 'name must be defined.')
  refused(t, await create({ name: 'x', parent: 99 }), 400, '1 relation(s) of type plugin::upload.folder associated')
  refused(t, await create({ name: 'x', parent: {} }), 400, 'parent must be an id')
  refused(t, await create({ name: 'x', path: '/9' }), 400, 'path is not known')
  refused(t, await put('/api/upload/folders/99', { name: 'x' }), 404, 'folder not found')
  for (const parent of [a, inner]) refused(t, await move(a, parent), 400, 'folder cannot be moved inside itself')
  t.same(await paths(), before)
  // `/1` is no folder above `/10`.
  for (let i = 4; i < 10; i++) await make(`Folder ${i}`)
  const tenth = await make('Tenth')
  t.match((await move(a, tenth)).body.data, { path: '/10/1' })
  t.match((await move(inner, null)).body.data, { path: '/3' })

  const made = await Promise.all(Array.from({ length: 6 }, (_, i) => create({ name: `At once ${i % 3}` })))
  t.same(made.map(one => one.status).sort(), [200, 200, 200, 400, 400, 400], 'of two equal names, one is made')
  const numbers = (await kernel.knex('upload_folders').select('path_id')).map(one => one.path_id)
  t.equal(new Set(numbers).size, numbers.length)
  t.ok(numbers.every(one => one > 0))
  const crossed = await Promise.all([move(b, tenth), move(tenth, b)])
  t.same(crossed.map(one => one.status).sort(), [200, 400], 'of two moves below each other, one is done')
})

t.test('files are uploaded to folders, listed by them, and moved', async t => {
  const { make, uploadTo, listed, form, get, post, paths } = await begin(t)
  const [a, b] = [await make('A'), await make('B')]
  const [one, two] = [await uploadTo(a, 'one.txt'), await uploadTo(null, 'two.txt')]
  t.same([await listed(a), await listed(b), await listed('root')], [['one.txt'], [], ['two.txt']])
  refused(t, await get('/api/upload/files?folder=x'), 400, 'folder must be the id of a folder, or "root"')
  const info = (folder: unknown) => [{ name: 'fileInfo', value: JSON.stringify({ folder }) }]
  t.equal((await form(`/api/upload?id=${two}`, info(b))).status, 200)
  t.same([await listed(b), await listed('root')], [['two.txt'], []])
  t.equal((await form(`/api/upload?id=${two}`, [{ name: 'fileInfo', value: '{"caption":"c"}' }])).status, 200)
  t.same(await listed(b), ['two.txt'], 'the folder stays if none is named')
  const replaced = { name: 'files', filename: 'new.txt', content: 'new', mime: 'text/plain' }
  t.equal((await form(`/api/upload?id=${two}`, [replaced, ...info(null)])).status, 200)
  t.same([await listed(b), await listed('root')], [[], ['new.txt']])
  refused(t, await form(`/api/upload?id=${two}`, info(99)), 400, '1 relation(s) of type plugin::upload.folder')
  refused(t, await form(`/api/upload?id=${two}`, info('x')), 400, 'fileInfo.folder must be the id of a folder, or null')

  const inner = await make('Inner', a)
  const move = (body: object) => post('/api/upload/actions/bulk-move', body)
  const all = { folderIds: [inner], fileIds: [one, two], destinationFolderId: b }
  t.match((await move(all)).body, {
    data: { folders: [{ id: inner, path: '/2/3' }], files: [{ id: one }, { id: two }] },
  })
  t.same((await paths()).files, { 'one.txt': '/2', 'new.txt': '/2' })
  const before = await paths()
  refused(t, await move({ folderIds: [a, b], destinationFolderId: inner }), 400, 'folder cannot be moved inside itself')
  refused(t, await move({ fileIds: [one, 99], destinationFolderId: null }), 404, 'Entity not found')
  refused(t, await move({ fileIds: one, destinationFolderId: null }), 400, 'fileIds must be a list of ids')
  refused(t, await move({ fileIds: [one] }), 400, 'destinationFolderId must be the id of a folder, or null')
  t.same(await paths(), before, 'all or nothing')
})

t.test('a folder is deleted with what is in it only if that is asked for', async t => {
  const { make, uploadTo, delete: remove, get, stored, kernel } = await begin(t)
  const [a, b] = [await make('A'), await make('B')]
  const inner = await make('Inner', a)
  await uploadTo(inner, 'in.txt')
  await uploadTo(b, 'other.txt')
  const { status, body } = await remove(`/api/upload/folders/${a}`)
  t.match(
    { status, error: body.error },
    {
      ...{ status: 400, error: { message: 'The folder is not empty', details: { folders: 1, files: 1 } } },
    },
  )
  refused(t, await remove(`/api/upload/folders/${a}?content=keep`), 400, 'content must be "delete"')
  refused(t, await remove('/api/upload/folders/99'), 404, 'folder not found')
  const rights = { rights: all.join() }
  t.equal((await remove(`/api/upload/folders/${a}?content=delete`, rights)).status, 403, 'who may not delete files')
  t.equal((await get('/api/upload/files')).body.length, 2, 'nothing is deleted')
  t.match((await remove(`/api/upload/folders/${a}?content=delete`)).body, { data: { id: a, name: 'A' } })
  t.match((await get('/api/upload/folders')).body.data, [{ id: b }])
  t.match((await get('/api/upload/files')).body, [{ name: 'other.txt' }])
  t.equal((await stored()).length, 1, 'the content goes, too')
  t.equal((await kernel.knex('upload_folders_parent_links').select('id')).length, 0)
})

t.test('each route needs its action, and rules hold', async t => {
  const {
    make,
    get,
    post,
    put,
    delete: remove,
    form,
  } = await begin(t, {
    configure: kernel => {
      kernel.hooks.on('prePlan', { for: ({ uid }) => uid === 'plugin::upload.folder' }, (draft, { key }) => {
        if (key.includes('ruled'))
          draft.where(
            compare(
              'name',
              'ne',
              perRequest(() => 'Hidden'),
            ),
          )
      })
    },
  })
  const [a, b] = [await make('A'), await make('Hidden')]
  const as = (...rights: string[]) => ({ rights: rights.join() })
  const calls: readonly [name: string, call: (headers: Record<string, string>) => Promise<Answer>][] = [
    ['find', headers => get('/api/upload/folders', headers)],
    ['findOne', headers => get(`/api/upload/folders/${a}`, headers)],
    ['create', headers => post('/api/upload/folders', { name: 'C' }, headers)],
    ['update', headers => put(`/api/upload/folders/${a}`, { name: 'D' }, headers)],
    ['delete', headers => remove(`/api/upload/folders/${a}`, headers)],
  ]
  for (const [name, call] of calls) {
    t.equal((await call(as('none', ...ofFiles, ...all.filter(one => one !== action(name))))).status, 403, name)
    if (name !== 'delete') t.equal((await call(as(action(name)))).status, 200, name)
  }
  const headers = as(...ofFiles)
  t.equal(
    (await get(`/api/upload/files?folder=${a}`, headers)).status,
    403,
    'files of folders need the right to find folders',
  )
  const parts = [
    { name: 'files', filename: 'a.txt', content: 'hello', mime: 'text/plain' },
    { name: 'fileInfo', value: JSON.stringify({ folder: a }) },
  ]
  t.equal((await form('/api/upload', parts, headers)).status, 403)
  const move = (rights: Record<string, string>) =>
    post('/api/upload/actions/bulk-move', { folderIds: [a], destinationFolderId: null }, rights)
  t.equal((await move(as(action('find'), ...ofFiles))).status, 403)
  t.equal((await move(as(...all))).status, 200)
  const ruled = as('ruled', ...all, ...ofFiles)
  t.same((await get('/api/upload/folders?fields=name&populate=', ruled)).body.data.length, 2)
  t.equal((await put(`/api/upload/folders/${b}`, { name: 'E' }, ruled)).status, 404)
  t.equal((await put(`/api/upload/folders/${a}`, { parent: b }, ruled)).status, 400, 'as one that does not exist')
})

t.test('the generated mutations of GraphQL keep the tree, too', async t => {
  const { post, paths, make, uploadTo } = await begin(t, { plugins: { graphql: { plugin: graphql } } })
  const ask = async (query: string) => (await post('/graphql', { query })).body
  const a = await make('A')
  const created = await ask(
    `mutation { createUploadFolder(data: { name: "Inner", parent: ${a}, pathId: 77, path: "/7" }) { data { id attributes { path pathId } } } }`,
  )
  t.match(created.data.createUploadFolder.data.attributes, { path: '/1/2', pathId: 2 })
  const { id } = created.data.createUploadFolder.data
  const update = (folder: string | number, data: string) =>
    ask(`mutation { updateUploadFolder(id: ${folder}, data: { ${data} }) { data { attributes { path } } } }`)
  t.match((await update(a, `parent: ${id}`)).errors, [{ message: 'folder cannot be moved inside itself' }])
  t.match((await update(a, 'files: []')).errors, [{ message: 'files of a folder cannot be sent' }])
  t.match((await update(id, 'parent: null')).data.updateUploadFolder.data.attributes, { path: '/2' })
  const file = await uploadTo(null)
  t.equal(
    (await ask(`mutation { updateUploadFile(id: ${file}, data: { folder: ${id} }) { data { id } } }`)).errors,
    undefined,
  )
  t.same((await paths()).files, { 'a.txt': '/2' })
  t.match((await ask(`mutation { deleteUploadFolder(id: ${id}) { data { id } } }`)).errors, [
    { message: 'The folder is not empty' },
  ])
  t.match(
    (await ask('{ uploadFolders { data { attributes { name files { data { id } } } } } }')).data.uploadFolders.data
      .length,
    2,
  )
})
