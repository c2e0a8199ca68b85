// Requests to a large model, five levels deep and through its zones, in both forms of answers.

import { createClient } from '@plinth/client'

const flat = createClient({ url: '', flat: true })
const v4 = createClient({ url: '' })

export async function requests() {
  const options = {
    filters: { to0: { to0: { to0: { to0: { text1: { $contains: 'a' } } } } } },
    sort: ['text0', 'to1.text2:desc'],
    populate: {
      to0: { populate: { to1: { populate: { to2: { populate: { to3: { fields: ['text4'] } } } } } } },
      zone: { populate: '*' },
      part: { populate: ['inner', 'inner.inner', 'inner.inner.inner'] },
    },
  } as const
  const { data } = await flat('type0s').find(options)
  const text: string | null | undefined = data[0]?.to0[0]?.to1[0]?.to2[0]?.to3[0]?.text4
  const label: string | null | undefined = data[0]?.part?.inner[0]?.inner[0]?.label
  for (const member of data[0]?.zone ?? []) if (member.__component === 'part.c3') void member.inner[0]?.label
  const wrapped = (await v4('type0s').find(options)).data[0]?.attributes.to0.data[0]?.attributes.to1.data[0]?.attributes
  const same: string | null | undefined = wrapped?.to2.data[0]?.attributes.to3.data[0]?.attributes.text4
  await flat('type9s').create(
    { text0: 'a', to0: [1], zone: [{ __component: 'part.c1', label: 'a' }] },
    { populate: '*' },
  )
  // @ts-expect-error: five levels below, a misspelt attribute.
  await flat('type1s').find({ filters: { to0: { to0: { to0: { to0: { txt: 'a' } } } } } })
  return [text, label, same]
}
