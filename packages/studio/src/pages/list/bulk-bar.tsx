// The actions for the chosen entries of a list.

import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useErrorText } from '../../app/error-text.ts'
import { useModel } from '../../app/model-context.tsx'
import { isTaken, mayDo } from '../../model/build.ts'
import { entryName } from '../../model/entry-name.ts'
import type { ContentType } from '../../model/types.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Notice, Progress } from '../../ui/notice.tsx'
import { toast } from '../../ui/toasts.tsx'
import { type BulkAction, type BulkFailure, runBulk } from './bulk.ts'
import styles from './list.module.css'
import type { EntryList } from './use-entry-list.ts'

interface BulkProps {
  readonly type: ContentType
  readonly list: EntryList
  readonly ids: readonly number[]
  readonly onDone: () => void
}

export function BulkBar({ type, list, ids, onDone }: BulkProps) {
  const t = useTranslations('bulk')
  const [action, setAction] = useState<BulkAction | null>(null)
  const mayPublish = type.hasDrafts && isTaken(type.rights, 'publishedAt', 'update')
  const mayDelete = mayDo(type, 'delete')
  if (!mayPublish && !mayDelete) return null
  return (
    <div className={styles.bulk} role="toolbar" aria-label={t('title')}>
      <span className={styles.bulkCount}>{t('chosen', { count: ids.length })}</span>
      {mayPublish && (
        <>
          <Button isSmall onPress={() => setAction('publish')}>
            {t('actions.publish')}
          </Button>
          <Button isSmall onPress={() => setAction('unpublish')}>
            {t('actions.unpublish')}
          </Button>
        </>
      )}
      {mayDelete && (
        <Button isSmall look="danger" onPress={() => setAction('delete')}>
          {t('actions.delete')}
        </Button>
      )}
      <Button isSmall look="quiet" onPress={onDone}>
        {t('none')}
      </Button>
      {action !== null && (
        <BulkDialog type={type} list={list} ids={ids} action={action} onClose={() => setAction(null)} onDone={onDone} />
      )}
    </div>
  )
}

interface DialogProps extends BulkProps {
  readonly action: BulkAction
  readonly onClose: () => void
}

function BulkDialog({ type, list, ids, action, onClose, onDone }: DialogProps) {
  const t = useTranslations('bulk')
  const words = useTranslations('words')
  const model = useModel()
  const queries = useQueryClient()
  const [done, setDone] = useState<number | null>(null)
  const [failures, setFailures] = useState<readonly BulkFailure[]>([])
  const [stopper] = useState(() => new AbortController())
  const isRunning = done !== null && failures.length === 0

  const run = async () => {
    setDone(0)
    const { signal } = stopper
    const entries = list.page?.entries.filter(({ id }) => ids.includes(id)) ?? []
    const refused = await runBulk({ type, model, entries, action, onProgress: setDone, signal })
    await queries.invalidateQueries({ queryKey: ['entries'] })
    if (refused.length > 0) return setFailures(refused)
    toast(t(`done.${action}`, { count: ids.length }))
    onClose()
    onDone()
  }
  const close = () => {
    stopper.abort()
    onClose()
  }
  return (
    <Dialog
      title={t(`questions.${action}`, { count: ids.length })}
      isOpen
      onClose={close}
      isAlert
      actions={
        failures.length > 0 ? (
          <Button look="primary" onPress={onClose}>
            {words('close')}
          </Button>
        ) : (
          <>
            <Button onPress={close}>{isRunning ? t('stop') : words('cancel')}</Button>
            <Button
              look={action === 'delete' ? 'danger' : 'primary'}
              isDisabled={isRunning}
              autoFocus
              onPress={() => void run()}
            >
              {t(`actions.${action}`)}
            </Button>
          </>
        )
      }
    >
      {failures.length > 0 ? (
        <Failures type={type} list={list} failures={failures} />
      ) : isRunning ? (
        <Progress label={t('progress')} done={done} total={ids.length} />
      ) : (
        <p>{t(`texts.${action}`, { count: ids.length })}</p>
      )}
    </Dialog>
  )
}

interface FailuresProps extends Pick<BulkProps, 'type' | 'list'> {
  readonly failures: readonly BulkFailure[]
}

function Failures({ type, list, failures }: FailuresProps) {
  const t = useTranslations('bulk')
  const errorText = useErrorText()
  const nameOf = (id: number) => {
    const entry = list.page?.entries.find(one => one.id === id)
    return entry === undefined ? `#${id}` : entryName(type, entry)
  }
  return (
    <Notice tone="bad">
      <p>{t('refused', { count: failures.length })}</p>
      <ul className={styles.failures}>
        {failures.map(({ id, error }) => (
          <li key={id}>
            <strong>{nameOf(id)}</strong>: {errorText(error)}
          </li>
        ))}
      </ul>
    </Notice>
  )
}
