// A panel at the side of the window, for what is done beside a page. It keeps the page from being used while it is open.

import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from 'react-aria-components'
import { Button } from './button.tsx'
import { classNames } from './class-names.ts'
import styles from './sheet.module.css'

interface SheetProps {
  readonly title: ReactNode
  /** The name of the button that closes it. */
  readonly closeLabel: string
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly children: ReactNode
  /** The buttons at its end. */
  readonly actions?: ReactNode
  readonly isWide?: boolean
  /** True while a click beside it would lose something. */
  readonly isKept?: boolean
}

export function Sheet({ title, closeLabel, isOpen, onClose, children, actions, isWide, isKept }: SheetProps) {
  return (
    <ModalOverlay
      className={styles.overlay!}
      isOpen={isOpen}
      onOpenChange={open => !open && onClose()}
      isDismissable={!isKept}
    >
      <Modal className={classNames(styles.modal, isWide && styles.wide)}>
        <AriaDialog className={styles.sheet!}>
          <div className={styles.head}>
            <Heading slot="title" level={2}>
              {title}
            </Heading>
            <Button look="quiet" isIcon aria-label={closeLabel} onPress={onClose}>
              <X aria-hidden="true" />
            </Button>
          </div>
          <div className={styles.body}>{children}</div>
          {actions && <div className={styles.actions}>{actions}</div>}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  )
}
