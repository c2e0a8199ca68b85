// openapi-fetch: requests and answers that are typed by openapi-typescript, from the document of the running server.

import { copyFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import openapiTypescript, { astToString } from 'openapi-typescript'
import t from 'tap'
import { compile } from './fixtures/compile.ts'
import { editor, openSite } from './fixtures/site.ts'

/** What is read of `programs/openapi-fetch.ts`, whose types are those of generated code. */
interface Client {
  run(baseUrl: string, key: string, editor: object): Promise<unknown>
}

t.test('openapi-fetch', async t => {
  const { url, api, token, articles } = await openSite(t)
  const reply = await fetch(`${url}/openapi.json`)
  // Below the folder of this package, where its packages are found.
  const folder = t.testdir({
    'api.d.ts': astToString(await openapiTypescript(await reply.text())),
    'package.json': '{"type":"module"}',
  })
  copyFileSync(join(import.meta.dirname, 'programs/openapi-fetch.ts'), `${folder}/client.ts`)
  t.equal(await compile(folder), '')

  const client = (await import(pathToFileURL(`${folder}/client.ts`).href)) as Client
  const { identifier, password } = editor
  t.match(await client.run(api, token, { identifier, password }), {
    total: 21,
    articles: [
      { id: articles[29], title: 'Article 30', author: 'Ada', zone: ['quote 30'] },
      { id: articles[28], title: 'Article 29', author: 'Ada', zone: ['quote 29'] },
    ],
    tags: ['sea'],
    missing: { status: 404, name: 'NotFoundError' },
    greeting: 'Hello',
    refused: [403, 'Forbidden'],
    made: 'by a user',
    username: 'nell',
    created: 'Made',
    changed: 'Changed',
    deleted: [200, 'Changed'],
    file: 'note.txt',
  })

  const wrong = `import createClient from 'openapi-fetch'
import type { paths } from './api.d.ts'
const client = createClient<paths>({ baseUrl: '' })
export const a = client.GET('/artikles')
export const b = client.POST('/tags', { body: { data: { label: 1 } } })
export const c = client.GET('/articles/{id}')
`
  writeFileSync(`${folder}/wrong.ts`, wrong)
  const faults = await compile(folder)
  for (const line of [4, 5, 6]) t.match(faults, `wrong.ts(${line},`, 'its types are no any')
})
