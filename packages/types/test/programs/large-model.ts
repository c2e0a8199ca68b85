// Queries of a large model, five levels deep and through its zones.

import type { Kernel } from '@plinth/kernel'

declare const kernel: Kernel

export async function queries() {
  const entries = await kernel.query('api::type0.type0').findMany({
    filters: {
      to0: { to0: { to0: { to0: { text1: { $contains: 'a' } } } } },
      part: { inner: { inner: { label: 'a' } } },
    },
    sort: ['text0', 'to1.text2:desc'],
    populate: {
      to0: { populate: { to1: { populate: { to2: { populate: { to3: { fields: ['text4'] } } } } } } },
      zone: { populate: '*' },
      part: { populate: ['inner', 'inner.inner', 'inner.inner.inner'] },
    },
  })
  const text: string | null | undefined = entries[0]?.to0[0]?.to1[0]?.to2[0]?.to3[0]?.text4
  const label: string | null | undefined = entries[0]?.part?.inner[0]?.inner[0]?.label
  for (const member of entries[0]?.zone ?? []) if (member.__component === 'part.c3') void member.inner[0]?.label
  await kernel.query('api::type9.type9').create({
    data: { text0: 'a', to0: [1], zone: [{ __component: 'part.c1', label: 'a', inner: [{ label: 'b' }] }] },
    populate: '*',
  })
  // @ts-expect-error: five levels below, a misspelt attribute.
  await kernel.query('api::type1.type1').findMany({ filters: { to0: { to0: { to0: { to0: { txt: 'a' } } } } } })
  return [text, label]
}
