// The input for links to other entries: those that are linked, and a search for more.

import { CornerUpRight, Plus } from 'lucide-react'
import { useId, useState } from 'react'
import { useTranslations } from 'use-intl'
import { useModel } from '../../app/model-context.tsx'
import { usePathTo } from '../../app/paths.ts'
import { useFormSubject } from '../../form/context.tsx'
import { mayDo } from '../../model/build.ts'
import { isToMany, type Link, linkableTypes, linkKey, linkName, linkTo, typeOfLink } from '../../model/relations.ts'
import type { ContentType, Entry } from '../../model/types.ts'
import { ArrangedList } from '../../ui/arranged-list.tsx'
import { Button, ButtonLink } from '../../ui/button.tsx'
import fieldStyles from '../../ui/field.module.css'
import { LabelText } from '../../ui/field.tsx'
import { Select } from '../../ui/select.tsx'
import type { InputProps } from '../props.ts'
import { LinkLabel } from './link-label.tsx'
import { LinkSearch } from './link-search.tsx'
import { NewEntry } from './new-entry.tsx'
import styles from './relation.module.css'

type Value = Link | readonly Link[]

export function RelationInput(props: InputProps<Value>) {
  const { value, onChange, attribute, error, required, disabled } = props
  const t = useTranslations('relation')
  const id = useId()
  const isMany = isToMany(attribute.options)
  const links = [value ?? []].flat()
  const isHidden = value === undefined
  const change = (next: readonly Link[]) => onChange(isMany ? next : (next.at(-1) ?? null))
  const add = (link: Link) => {
    if (!links.some(one => linkKey(one) === linkKey(link))) change([...links, link])
  }
  return (
    <fieldset className={fieldStyles.field} aria-describedby={id}>
      <legend className={fieldStyles.legend}>
        <LabelText label={attribute.label} required={required} />
        {isMany && links.length > 0 && <span className={fieldStyles.count}>{links.length}</span>}
      </legend>
      {!disabled && !isHidden && <Finder {...props} links={links} onAdd={add} />}
      <Links {...props} links={links} onArrange={change} />
      <div id={id}>
        {isHidden && <p className={fieldStyles.description}>{t('hidden')}</p>}
        {attribute.description && <p className={fieldStyles.description}>{attribute.description}</p>}
        {error && <p className={fieldStyles.error}>{error}</p>}
      </div>
    </fieldset>
  )
}

interface LinksProps extends InputProps<Value> {
  readonly links: readonly Link[]
  readonly onArrange: (links: readonly Link[]) => void
}

function Links({ attribute, disabled, value, links, onArrange }: LinksProps) {
  const t = useTranslations('relation')
  const model = useModel()
  if (links.length === 0) return disabled && value !== undefined ? <p className={styles.none}>{t('none')}</p> : null
  const items = links.map(link => {
    const type = typeOfLink(link, attribute, model)
    const text = linkName(link, type)
    return {
      key: linkKey(link),
      text,
      content: <LinkLabel link={link} type={type} isTypeShown={link.__type !== undefined} />,
      actions: type !== undefined && <OpenButton type={type} link={link} name={text} />,
    }
  })
  const byKey = new Map(links.map(link => [linkKey(link), link]))
  return (
    <ArrangedList
      label={t('links', { label: attribute.label })}
      items={items}
      isDisabled={disabled}
      onChange={keys => onArrange(keys.map(key => byKey.get(key)!))}
    />
  )
}

interface OpenProps {
  readonly type: ContentType
  readonly link: Link
  readonly name: string
}

function OpenButton({ type, link, name }: OpenProps) {
  const t = useTranslations('relation')
  const pathTo = usePathTo()
  if (type.kind === 'single' || !(mayDo(type, 'findOne') || mayDo(type, 'find'))) return null
  const href = pathTo({ to: '/content/$slug/$id', params: { slug: type.slug, id: String(link.id) } })
  return (
    <ButtonLink look="quiet" isSmall isIcon href={href} aria-label={t('open', { name })}>
      <CornerUpRight aria-hidden="true" />
    </ButtonLink>
  )
}

interface FinderProps extends InputProps<Value> {
  readonly links: readonly Link[]
  readonly onAdd: (link: Link) => void
}

/** The search, the type that is searched where there are several, and the button for a new entry. */
function Finder({ attribute, links, onAdd }: FinderProps) {
  const t = useTranslations('relation')
  const model = useModel()
  const { type: subject, entryId, locale } = useFormSubject()
  const types = linkableTypes(attribute, model)
  const [chosenUid, setChosenUid] = useState<string | null>(null)
  const [isMaking, setMaking] = useState(false)
  const type = types.find(({ uid }) => uid === chosenUid) ?? types[0]
  if (type === undefined) return <p className={fieldStyles.description}>{t('notReadable')}</p>
  const ownLocale = type.isLocalized ? locale : null
  const add = (entry: Entry) => onAdd(linkTo(entry, type, attribute))
  const isLinked = (link: Link) => link.__type === undefined || link.__type === type.uid
  return (
    <div className={styles.finder}>
      {types.length > 1 && (
        <div className={styles.type}>
          <Select
            aria-label={t('typeOf', { label: attribute.label })}
            choices={types.map(one => ({ value: one.uid, label: one.label }))}
            value={type.uid}
            onChange={setChosenUid}
          />
        </div>
      )}
      <LinkSearch
        key={type.uid}
        type={type}
        label={attribute.label}
        placeholder={t(links.length > 0 && !isToMany(attribute.options) ? 'replace' : 'placeholder', {
          types: type.listLabel,
        })}
        locale={ownLocale}
        without={links.filter(isLinked).map(({ id }) => id)}
        excluded={subject.uid === type.uid ? entryId : null}
        onChoose={add}
      />
      {mayDo(type, 'create') && type.kind === 'collection' && (
        <Button onPress={() => setMaking(true)} aria-label={t('new', { type: type.label })}>
          <Plus aria-hidden="true" />
          <span className={styles.newText}>{t('newShort')}</span>
        </Button>
      )}
      {isMaking && (
        <NewEntry
          type={type}
          locale={ownLocale}
          onClose={() => setMaking(false)}
          onMade={entry => {
            add(entry)
            setMaking(false)
          }}
        />
      )}
    </div>
  )
}
