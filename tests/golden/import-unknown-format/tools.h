#pragma once
static int x = 3;
