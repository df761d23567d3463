-- That failures turned an endpoint off is a notice like any other, which is mailed as each admin chooses.
alter table webhook_endpoints rename column shut_off_mail_due_at to shut_off_notice_due_at;
drop table webhook_shut_off_mails;
