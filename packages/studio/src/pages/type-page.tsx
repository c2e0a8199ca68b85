// The page of a type: the list of a collection type, or the form of a single type.

import { useParams } from '@tanstack/react-router'
import { MissingPage } from '../app/missing.tsx'
import { useModel } from '../app/model-context.tsx'
import { mayDo } from '../model/build.ts'
import { SingleEntry } from './entry/entry-page.tsx'
import { ListPage } from './list/list-page.tsx'

export function TypePage() {
  const { slug } = useParams({ from: '/shell/content/$slug' })
  const type = useModel().typesBySlug.get(slug)
  if (type === undefined) return <MissingPage />
  if (type.kind === 'single') return <SingleEntry key={type.uid} type={type} />
  return mayDo(type, 'find') ? <ListPage key={type.uid} type={type} /> : <MissingPage />
}
