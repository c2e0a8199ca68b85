// The content type of a new application, and the test of it.

import type { Choices } from '../choices.ts'
import type { Files } from './files-by-path.ts'

export function contentFiles(choices: Choices): Files {
  const test = `test/articles.test.${choices.language === 'ts' ? 'ts' : 'mjs'}`
  return {
    'src/api/article/content-types/article/schema.json': `${JSON.stringify(schemaOf(choices), null, 2)}\n`,
    'database/migrations/.gitkeep': '',
    [test]: testText(choices),
  }
}

/** The JSON schema that `plinth dev` writes, with which editors complete and underline the file. */
const editorSchema = '../../../../../types/content-type.schema.json'

function schemaOf({ plugins }: Choices): object {
  const translated = plugins.has('i18n') && { pluginOptions: { i18n: { localized: true } } }
  return {
    $schema: editorSchema,
    kind: 'collectionType',
    collectionName: 'articles',
    info: { singularName: 'article', pluralName: 'articles', displayName: 'Article' },
    ...(plugins.has('draft-publish') && { options: { draftAndPublish: true } }),
    ...translated,
    attributes: {
      title: { type: 'string', required: true, maxLength: 200, ...translated },
      text: { type: 'richtext', ...translated },
      ...(plugins.has('upload') && { cover: { type: 'media', allowedTypes: ['images'] } }),
    },
  }
}

function testText(choices: Choices): string {
  return `// Tests of the application on a database in memory: \`npm test\` runs them.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { createTestApp } from '@plinth/testing'

const app = await createTestApp({ dir: fileURLToPath(new URL('..', import.meta.url)) })
before(() => app.seed('api::article.article', [{ title: 'First steps'${
    choices.plugins.has('draft-publish') ? ', publishedAt: new Date()' : ''
  } }]))
after(() => app.close())
${testsOf(choices).join('')}`
}

function testsOf({ plugins }: Choices): string[] {
  const hasUsers = plugins.has('users-permissions')
  if (plugins.has('api-tokens') && !hasUsers) return [tokens]
  return [rest, ...(plugins.has('graphql') ? [graphql] : []), ...(hasUsers ? [logins] : [])]
}

const rest = `
test('an article is found by REST', async () => {
  const answer = await app.inject('/api/articles?fields=title')
  assert.equal(answer.statusCode, 200)
  assert.equal(answer.json().data[0].attributes.title, 'First steps')
})
`

const graphql = `
test('an article is found by GraphQL', async () => {
  const query = '{ articles { data { attributes { title } } } }'
  const answer = await app.inject({ method: 'POST', url: '/graphql', payload: { query } })
  assert.deepEqual(answer.json(), { data: { articles: { data: [{ attributes: { title: 'First steps' } }] } } })
})
`

const logins = `
test('nobody writes articles without a login', async () => {
  const payload = { data: { title: 'Not mine' } }
  assert.equal((await app.inject({ method: 'POST', url: '/api/articles', payload })).statusCode, 403)
})
`

const tokens = `
test('nobody reads articles without a token', async () => {
  assert.equal((await app.inject('/api/articles')).statusCode, 401)
})
`
