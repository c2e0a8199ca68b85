/** Folders in the database that v4 left: its own folder and the files in it, and new ones beside them, in v4's tables. */

import { createServer } from '@plinth/server'
import { temporary } from '@plinth/test-tools/fixtures'
import { onEach } from '@plinth/test-tools/on-each'
import { copyDatabase, project } from '@plinth/test-tools/recordings'
import { plugins } from './plugins.ts'

await onEach('folders of v4 are listed, changed and filled', async (t, client) => {
  const database = await copyDatabase(client)
  const upload = { config: { folder: await temporary(t) } }
  const app = await createServer({
    dir: project,
    database: database.config,
    plugins: { ...plugins, upload, graphql: {} },
    logger: false,
  })
  t.teardown(async () => {
    await app.close()
    await database.drop()
  })
  const send = async (method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, payload?: object) => {
    const response = await app.inject({ method, url: `/api/upload${url}`, ...(payload && { payload }) })
    return { status: response.statusCode, body: response.json() }
  }
  const { knex } = app.kernel
  const paths = async () => (await knex('files').distinct('folder_path')).map(one => one.folder_path).sort()

  const [v4] = (await send('GET', '/folders')).body.data
  t.match(v4, { name: 'API Uploads', pathId: 1, path: '/1', files: { count: 7 }, children: { count: 0 } })
  t.equal((await send('GET', `/files?folder=${v4.id}`)).body.length, 7)
  const { body } = await send('POST', '/folders', { name: 'Pictures' })
  t.match(body.data, { pathId: 2, path: '/2' })
  const made = await Promise.all(['a', 'b', 'c'].map(name => send('POST', '/folders', { name, parent: body.data.id })))
  t.same(made.map(one => one.body.data?.path).sort(), ['/2/3', '/2/4', '/2/5'])
  // GraphQL locks the tree later, when rows with unique paths are there.
  const create = (name: string) =>
    app.inject({
      method: 'POST',
      url: '/graphql',
      payload: { query: `mutation { createUploadFolder(data: { name: "${name}" }) { data { id } } }` },
    })
  const others = await Promise.all(['d', 'e', 'f'].map(create))
  t.same(
    others.map(one => one.json().errors),
    [undefined, undefined, undefined],
  )

  t.match((await send('PUT', `/folders/${v4.id}`, { parent: body.data.id })).body.data, { path: '/2/1' })
  t.same(await paths(), ['/2/1'])
  const { body: file } = await send('GET', '/files?sort=id&limit=1')
  const move = { fileIds: [file[0].id], destinationFolderId: null }
  t.equal((await send('POST', '/actions/bulk-move', move)).status, 200)
  t.same(await paths(), ['/', '/2/1'])
  t.equal((await send('DELETE', `/folders/${v4.id}`)).status, 400)
  t.equal((await send('DELETE', `/folders/${body.data.id}?content=delete`)).status, 200)
  t.same(await paths(), ['/'], 'the other files are deleted with their folders')
  for (const table of ['upload_folders_parent_links', 'files_folder_links'])
    t.equal((await knex(table).select('id')).length, 0, `${table} has no row left`)
  t.same(
    (await knex('upload_folders').orderBy('name').select('name')).map(one => one.name),
    ['d', 'e', 'f'],
  )
})
