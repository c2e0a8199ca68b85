// Makes an API token, and shows its key once.

import { type FormEvent, useState } from 'react'
import { useTranslations } from 'use-intl'
import { isApiError } from '../../api/errors.ts'
import { type Lifespan, lifespans, makeToken, type TokenType, tokenTypes } from '../../api/tokens.ts'
import { useErrorText } from '../../app/error-text.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Select } from '../../ui/select.tsx'
import { TextField } from '../../ui/text-field.tsx'
import styles from '../users/users.module.css'
import { ActionChoice } from './action-choice.tsx'

interface DialogProps {
  readonly onClose: () => void
  readonly onMade: () => void
}

const day = 86_400_000

export function NewTokenDialog({ onClose, onMade }: DialogProps) {
  const t = useTranslations('tokens')
  const words = useTranslations('words')
  const errorText = useErrorText()
  const [name, setName] = useState('')
  const [type, setType] = useState<TokenType>('read-only')
  const [actions, setActions] = useState<readonly string[]>([])
  const [lifespan, setLifespan] = useState<Lifespan>(null)
  const [key, setKey] = useState<string | null>(null)
  const [fault, setFault] = useState<string | null>(null)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setFault(null)
    try {
      const permissions = type === 'custom' ? { permissions: actions } : {}
      const token = await makeToken({ name: name.trim(), description: '', type, lifespan, ...permissions })
      setKey(token.accessKey)
      onMade()
    } catch (error) {
      setFault(isApiError(error) && error.faults[0] ? error.faults[0].message : errorText(error))
    }
  }
  if (key !== null)
    return (
      <Dialog
        title={t('keyTitle', { name })}
        isOpen
        isAlert
        onClose={onClose}
        actions={
          <Button look="primary" onPress={onClose}>
            {words('close')}
          </Button>
        }
      >
        <p>{t('keyText')}</p>
        <TextField label={t('key')} isCode isMultiline isReadOnly value={key} onChange={() => {}} />
      </Dialog>
    )
  return (
    <Dialog
      title={t('new')}
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose}>{words('cancel')}</Button>
          <Button look="primary" type="submit" form="token" isDisabled={name.trim() === ''}>
            {t('make')}
          </Button>
        </>
      }
    >
      <form id="token" className={styles.form} onSubmit={event => void submit(event)}>
        {fault !== null && <Notice tone="bad">{fault}</Notice>}
        <TextField label={t('name')} required value={name} onChange={setName} />
        <Select
          label={t('type')}
          description={t(`hints.${type}`)}
          choices={tokenTypes.map(one => ({ value: one, label: t(`types.${one}`) }))}
          value={type}
          onChange={value => setType(value as TokenType)}
        />
        {type === 'custom' && <ActionChoice chosen={actions} onChange={setActions} />}
        <Select
          label={t('lifespan')}
          choices={lifespans.map(one => ({
            value: String(one),
            label: one === null ? t('forever') : t('days', { count: one / day }),
          }))}
          value={String(lifespan)}
          onChange={value => setLifespan(lifespans.find(one => String(one) === value) ?? null)}
        />
      </form>
    </Dialog>
  )
}
