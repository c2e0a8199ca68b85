// gql.tada: documents typed by the introspection of the running server.

import { copyFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { getIntrospectionQuery } from 'graphql'
import t from 'tap'
import { compile } from './fixtures/compile.ts'
import { openSite } from './fixtures/site.ts'

t.test('gql.tada', async t => {
  const { url, token } = await openSite(t)
  const reply = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: getIntrospectionQuery() }),
  })
  const { data } = (await reply.json()) as { data: object }
  // Below the folder of this package, where its packages are found.
  const folder = t.testdir({
    'introspection.ts': `export type introspection = ${JSON.stringify(data)}\n`,
    'package.json': '{"type":"module"}',
  })
  copyFileSync(join(import.meta.dirname, 'programs/tada.ts'), `${folder}/client.ts`)
  t.equal(await compile(folder), '')

  const client = (await import(pathToFileURL(`${folder}/client.ts`).href)) as {
    run(url: string, token: string): Promise<unknown>
  }
  t.match(await client.run(`${url}/graphql`, token), {
    titles: ['Article 30', 'Article 29'],
    quotes: [['quote 30'], ['quote 29']],
    total: 21,
    label: 'by gql.tada',
  })

  const wrong = `import { initGraphQLTada } from 'gql.tada'
import type { introspection } from './introspection.ts'
const graphql = initGraphQLTada<{ introspection: introspection }>()
const document = graphql('query { articles { data { attributes { title } } } }')
export type Title = Exclude<Exclude<ReturnType<NonNullable<(typeof document)['__apiType']>>['articles'], null>['data'][number]['attributes'], null>['titel']
`
  writeFileSync(`${folder}/wrong.ts`, wrong)
  t.match(await compile(folder), /wrong\.ts.*'titel' does not exist/, 'its types are no any')
})
