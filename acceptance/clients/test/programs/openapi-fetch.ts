// What a front end does with openapi-fetch: its requests and answers are typed by the document of the server. It is copied
// beside the types, compiled, and run.

import createClient from 'openapi-fetch'
import qs from 'qs'
import type { paths } from './api.d.ts'

/** openapi-fetch itself writes one level of objects; filters have more. */
const querySerializer = (query: object) => qs.stringify(query)

/** Reads as the public, writes logged in, and with a token. Returns what the answers are. */
export async function run(baseUrl: string, key: string, editor: { identifier: string; password: string }) {
  const open = createClient<paths>({ querySerializer, baseUrl })

  const list = await open.GET('/articles', {
    params: {
      query: {
        filters: { views: { $gte: 10 } },
        sort: ['views:desc'],
        fields: ['title'],
        populate: ['author', 'zone'],
        'pagination[pageSize]': 2,
      },
    },
  })
  const articles = list.data?.data.map(({ id, attributes }) => ({
    id,
    title: attributes.title satisfies string | null | undefined,
    author: attributes.author?.data?.attributes.name satisfies string | undefined,
    zone: attributes.zone?.map(part => (part.__component === 'shared.quote' ? part.text : part.label)),
  }))
  const id = articles?.[0]?.id ?? 0
  const one = await open.GET('/articles/{id}', { params: { path: { id }, query: { populate: 'tags' } } })
  const missing = await open.GET('/articles/{id}', { params: { path: { id: 9999 } } })
  const homepage = await open.GET('/homepage')
  const refused = await open.POST('/tags', { body: { data: { label: 'x' } } })

  const login = await open.POST('/auth/local', { body: editor })
  const user = createClient<paths>({
    querySerializer,
    baseUrl,
    headers: { authorization: `Bearer ${login.data?.jwt}` },
  })
  const made = await user.POST('/tags', { body: { data: { label: 'by a user' } } })
  const me = await user.GET('/users/me')

  const program = createClient<paths>({ querySerializer, baseUrl, headers: { authorization: `Bearer ${key}` } })
  const created = await program.POST('/articles', {
    body: { data: { title: 'Made', zone: [{ __component: 'shared.quote', text: 'q' }] } },
  })
  const path = { id: created.data?.data.id ?? 0 }
  const changed = await program.PUT('/articles/{id}', { params: { path }, body: { data: { title: 'Changed' } } })
  const deleted = await program.DELETE('/articles/{id}', { params: { path } })
  const form = new FormData()
  form.append('files', new File(['some text'], 'note.txt', { type: 'text/plain' }))
  const files = await program.POST('/upload', {
    // The types of the body are those of its schema; what is sent is a form.
    body: form as never,
    bodySerializer: body => body,
  })
  return {
    total: list.data?.meta.pagination.total,
    articles,
    tags: one.data?.data.attributes.tags?.data.map(tag => tag.attributes.label),
    missing: { status: missing.response.status, name: missing.error?.error.name },
    greeting: homepage.data?.data.attributes.greeting,
    refused: [refused.response.status, refused.error?.error.message],
    made: made.data?.data.attributes.label,
    username: me.data?.username,
    created: created.data?.data.attributes.title,
    changed: changed.data?.data.attributes.title,
    deleted: [deleted.response.status, deleted.data?.data.attributes.title],
    file: [files.data].flat()[0]?.name,
  }
}
