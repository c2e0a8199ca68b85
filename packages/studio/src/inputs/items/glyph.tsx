// The icon of a component: that of its schema where it is one of those below, or else one for what is in it.

import {
  AlignLeft,
  Blocks,
  Box,
  CalendarDays,
  Code,
  Contact,
  Heading,
  Image,
  Images,
  Info,
  LayoutTemplate,
  Link,
  List,
  type LucideIcon,
  MapPin,
  Megaphone,
  MessageSquareQuote,
  Newspaper,
  Search,
  ShoppingCart,
  SquarePlay,
  Star,
  Tag,
  Users,
} from 'lucide-react'
import type { Attribute, Component } from '../../model/types.ts'
import styles from './items.module.css'

/** By the names that v4's panel offers. */
const icons = new Map<string, LucideIcon>([
  ['alignLeft', AlignLeft],
  ['bulletList', List],
  ['calendar', CalendarDays],
  ['code', Code],
  ['envelop', Contact],
  ['information', Info],
  ['landscape', Image],
  ['layout', LayoutTemplate],
  ['link', Link],
  ['message', Megaphone],
  ['picture', Image],
  ['pinMap', MapPin],
  ['play', SquarePlay],
  ['priceTag', Tag],
  ['puzzle', Blocks],
  ['quote', MessageSquareQuote],
  ['search', Search],
  ['shoppingCart', ShoppingCart],
  ['slideshow', Images],
  ['star', Star],
  ['user', Users],
])

/** Icons of components by the attributes that they have, the most specific first. */
const hints: readonly (readonly [(attribute: Attribute) => boolean, LucideIcon])[] = [
  [({ type, options }) => type === 'media' && options.multiple === true, Images],
  [({ type }) => type === 'media', Image],
  [({ type }) => type === 'email', Contact],
  [({ type }) => type === 'relation', Newspaper],
  [({ type, options }) => type === 'component' && options.repeatable === true, List],
  [({ type }) => type === 'enumeration', Info],
  [({ type }) => type === 'blocks' || type === 'richtext', AlignLeft],
  [({ name }) => /^(?:url|href|link)$/i.test(name), Link],
  [({ type }) => type === 'text', MessageSquareQuote],
  [({ type }) => type === 'string', Heading],
]

export function Glyph({ component }: { readonly component: Component | undefined }) {
  const Icon = component === undefined ? Box : iconOf(component)
  return (
    <span className={styles.glyph} aria-hidden="true">
      <Icon />
    </span>
  )
}

function iconOf({ icon, attributes }: Component): LucideIcon {
  const chosen = icon === null ? undefined : icons.get(icon)
  return chosen ?? hints.find(([fits]) => attributes.some(fits))?.[1] ?? Box
}
