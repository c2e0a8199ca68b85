// Shows what somebody else has stored beside what the user has typed, and lets the user decide field by field.

import { FilePlus2 } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import { type Changed, type Conflict, hasOwnChanges } from '../../../model/conflict.ts'
import { type Choices, isDecided, type Side } from '../../../model/merge.ts'
import type { ContentType } from '../../../model/types.ts'
import { Button } from '../../../ui/button.tsx'
import styles from './conflict.module.css'
import { ConflictField } from './conflict-field.tsx'
import { copiedText } from './copied-text.ts'
import { CopyButton } from './copy-button.tsx'
import { SettledList } from './settled-list.tsx'
import type { ConflictTools } from './use-conflict.ts'

interface ViewProps {
  readonly type: ContentType
  readonly conflict: Conflict
  readonly tools: ConflictTools
}

export function ConflictView({ type, conflict, tools }: ViewProps) {
  const t = useTranslations('conflict')
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    heading.current?.focus()
    heading.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  return (
    <section className={styles.view} aria-labelledby="conflict-title">
      <h2 id="conflict-title" className={styles.title} ref={heading} tabIndex={-1}>
        {t(conflict.kind === 'deleted' ? 'deletedTitle' : conflict.cause === 'kept' ? 'keptTitle' : 'title')}
      </h2>
      {conflict.kind === 'deleted' ? (
        <DeletedEntry type={type} tools={tools} />
      ) : (
        <ChangedEntry type={type} conflict={conflict} tools={tools} />
      )}
    </section>
  )
}

function DeletedEntry({ type, tools }: Omit<ViewProps, 'conflict'>) {
  const t = useTranslations('conflict')
  return (
    <>
      <p className={styles.lead}>{t('deletedText')}</p>
      <div className={styles.actions}>
        <Button onPress={tools.hide}>{t('back')}</Button>
        <CopyButton text={() => copiedText(type.attributes, tools.values())} />
        <Button look="primary" onPress={tools.makeAgain}>
          <FilePlus2 aria-hidden="true" />
          {t('makeAgain')}
        </Button>
      </div>
    </>
  )
}

interface ChangedProps extends Omit<ViewProps, 'conflict'> {
  readonly conflict: Changed
}

function ChangedEntry({ type, conflict, tools }: ChangedProps) {
  const t = useTranslations('conflict')
  const { merge, mine, theirs, cause } = conflict
  const [choices, setChoices] = useState<Choices>({})
  const { conflicts } = merge
  const names = conflicts.map(({ attribute }) => attribute.name)
  const chooseAll = (side: Side) => setChoices(Object.fromEntries(names.map(name => [name, side])))
  const left = names.filter(name => choices[name] === undefined).length
  const sendsSomething = merge.onlyMine.length > 0 || names.some(name => choices[name] !== 'theirs')
  const isLive = type.hasDrafts && (theirs.entry.publishedAt ?? null) !== null
  const submit = !sendsSomething ? 'takeTheirs' : isLive ? 'saveLive' : 'save'
  return (
    <>
      <Lead conflict={conflict} />
      {conflicts.length > 1 && (
        <div className={styles.all}>
          <Button isSmall onPress={() => chooseAll('mine')}>
            {t('allMine')}
          </Button>
          <Button isSmall onPress={() => chooseAll('theirs')}>
            {t('allTheirs')}
          </Button>
        </div>
      )}
      {conflicts.map(one => (
        <ConflictField
          key={one.attribute.name}
          conflict={one}
          choice={choices[one.attribute.name] ?? null}
          onChoose={side => setChoices({ ...choices, [one.attribute.name]: side })}
        />
      ))}
      <SettledList conflict={conflict} />
      <div className={styles.actions}>
        <p className={styles.status} role="status">
          {conflicts.length === 0 ? '' : left > 0 ? t('left', { count: left }) : t('decided')}
        </p>
        <Button onPress={tools.hide}>{t('back')}</Button>
        {hasOwnChanges(conflict) && <CopyButton text={() => copiedText(type.attributes, mine)} />}
        <Button look="primary" isDisabled={!isDecided(merge, choices)} onPress={() => tools.settle(choices)}>
          {cause === 'delete' && !hasOwnChanges(conflict) ? t('look') : t(submit)}
        </Button>
      </div>
    </>
  )
}

/** Shows the changes of both users, and what they mean for the form. */
function Lead({ conflict }: { readonly conflict: Changed }) {
  const t = useTranslations('conflict')
  const format = useFormatter()
  const { cause, merge, theirs, newState } = conflict
  const { updatedAt } = theirs.entry
  const moment =
    typeof updatedAt === 'string'
      ? format.dateTime(new Date(updatedAt), { dateStyle: 'medium', timeStyle: 'short' })
      : null
  return (
    <div className={styles.lead}>
      <p>
        {moment !== null && t(cause === 'kept' ? 'keptWhen' : 'when', { moment })} {cause === 'save' && t('safe')}
      </p>
      {newState !== null && <p>{t(`newState.${newState}`)}</p>}
      <p>
        {t(
          cause === 'delete'
            ? 'notDeleted'
            : merge.conflicts.length > 0
              ? 'decide'
              : hasOwnChanges(conflict)
                ? 'nothingToDecide'
                : 'nothingOwn',
          { count: merge.conflicts.length },
        )}
      </p>
    </div>
  )
}
