package dev.dibs.mysql;

