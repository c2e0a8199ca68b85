// Without a file of types any name may be used, and entries are untyped.

import { createClient } from '@plinth/client'

const client = createClient({ url: '', flat: true })

export async function untyped() {
  const { data, meta } = await client('articles').find({ filters: { anything: 1 }, populate: ['author'], locale: 'de' })
  const title: unknown = data[0]?.title
  const total: number | undefined = meta.pagination.total
  const { data: homepage } = await client.single('homepage').find()
  await client('articles').create({ title: 'a' })
  // @ts-expect-error: an unknown value is no text.
  const text: string = data[0]?.title
  return [title, total, homepage.id, text]
}
